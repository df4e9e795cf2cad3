import type { Connection } from "@prosa/contract/connections";
import { useOfMinute } from "#web/lib/browser/minute.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { lineHealthMessages } from "./line-health.i18n.ts";
import { healthSentence } from "./line-health.ts";

/** The health of a line in one sentence. A limit that ends is announced by an event; the clock is for a lost connection. */
export function useHealthText({ health }: Pick<Connection, "health">): {
  readonly text: string;
  readonly tone: "plain" | "warn" | "bad";
} {
  const t = useMessages(lineHealthMessages);
  const format = useFormat();
  const at = useOfMinute((now) => now);
  const { key, until, share } = healthSentence(health, new Date(at));
  const shareText = share ? t("share", { used: format.number(share.used), total: format.number(share.total) }) : "";
  const isToday = until !== null && format.date(until) === format.date(at);
  const untilText = until === null ? "" : isToday ? format.time(until) : `${format.date(until)} ${format.time(until)}`;
  const text = t(key, { until: untilText, share: shareText });
  return { text, tone: key === "good" ? "plain" : key.startsWith("warned") ? "warn" : "bad" };
}
