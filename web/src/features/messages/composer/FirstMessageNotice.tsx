import type { ConnectionHealth } from "@prosa/contract/connections";
import type { Ticket } from "@prosa/contract/tickets";
import { useInfiniteQuery } from "@tanstack/react-query";
import { TimerOff } from "lucide-react";
import { useConnectionStates } from "#web/features/connections/index.ts";
import { useOfMinute } from "#web/lib/browser/minute.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { heldUntil } from "../held-until.ts";
import { conversationOptions } from "../messages.api.ts";
import { composerMessages } from "./composer.i18n.ts";

/** Says before it is written that a first message would wait, because WhatsApp limits new conversations of the line (P-04). */
export function FirstMessageNotice({ ticket }: { readonly ticket: Ticket }) {
  const line = useConnectionStates()?.find(({ id }) => id === ticket.whatsappId);
  // Nearly always there is no limit, and the messages need not be followed.
  return line?.health.state === "limited" ? <Notice ticket={ticket} health={line.health} /> : null;
}

function Notice({ ticket, health }: { readonly ticket: Ticket; readonly health: ConnectionHealth }) {
  const t = useMessages(composerMessages);
  const format = useFormat();
  const { data } = useInfiniteQuery({ ...conversationOptions(ticket.id), enabled: false });
  const messages = data?.pages.flatMap((page) => page.messages) ?? [];
  const hasOlder = data?.pages.at(-1)?.hasMore !== false;
  const until = useOfMinute((now) => heldUntil({ isGroup: ticket.isGroup, messages, hasOlder }, health, now));
  return until === "" ? null : (
    <Line role="status">
      <TimerOff aria-hidden />
      {t("firstHeld", { at: `${format.date(until)} ${format.time(until)}` })}
    </Line>
  );
}

const Line = styled("p")({
  display: "flex",
  alignItems: "flex-start",
  gap: 8,
  padding: "4px 4px 8px",
  fontSize: 13,
  lineHeight: 1.4,
  color: color.warningInk,
  "& svg": { flex: "none", width: 16, height: 16, marginTop: 1 },
});
