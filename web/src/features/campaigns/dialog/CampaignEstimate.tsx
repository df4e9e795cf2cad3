import { Clock } from "lucide-react";
import { serverNow } from "#web/lib/session/clock.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { useDurationText } from "../campaign-words.ts";
import { sendingSeconds, type Pace } from "../estimate.ts";
import type { Forecast } from "../forecast.ts";
import { dialogMessages } from "./dialog.i18n.ts";

/** How many contacts of a campaign there are. */
export interface AudienceSize {
  /** Those who can be reached, as far as it is known. */
  readonly contacts: number;
  /** Of a list: numbers that are not on WhatsApp. */
  readonly invalid: number;
  /** Of a tag: a person with two conversations is counted twice. */
  readonly isUpperLimit: boolean;
}

/** In words: how many contacts, how long at this pace, the first and the last time under the company's own rules. */
export function CampaignEstimate(props: {
  readonly size: AudienceSize | undefined;
  readonly lines: number;
  readonly pace: Pace | undefined;
  /** Null while it is not scheduled, or not known. */
  readonly forecast: Forecast | null;
}) {
  const { size, pace, lines, forecast } = props;
  const t = useMessages(dialogMessages);
  const format = useFormat();
  const durationText = useDurationText();
  const contactsText = useContactsText();
  const whenText = useWhenText();
  const seconds = size && pace ? sendingSeconds(size.contacts, lines, pace) : 0;
  return (
    <Box aria-label={t("estimate")}>
      <Clock aria-hidden size={16} />
      {size === undefined || pace === undefined ? (
        <p>{t("estimateNone")}</p>
      ) : (
        <p>
          <b>{t("estimatePace", { contacts: contactsText(size), duration: durationText(seconds) })}</b>{" "}
          {forecast && (
            <>
              {forecast.last === null
                ? t("estimateDay", {
                    first: whenText(forecast.first),
                    shown: format.number(forecast.onFirstDay ?? 0),
                  })
                : t("estimateTimes", { first: whenText(forecast.first), last: whenText(forecast.last) })}{" "}
            </>
          )}
          {size.invalid > 0 && (
            <>{t("estimateInvalid", { count: size.invalid, shown: format.number(size.invalid) })} </>
          )}
          {t("estimatePauses")}
        </p>
      )}
    </Box>
  );
}

/** "1.200 contatos"; of a tag "até 1.200 contatos". */
export function useContactsText(): (size: AudienceSize) => string {
  const t = useMessages(dialogMessages);
  const format = useFormat();
  return ({ contacts, isUpperLimit }) =>
    t(isUpperLimit ? "estimateUpTo" : "estimateCount", { count: contacts, shown: format.number(contacts) });
}

const DAY_MS = 86_400_000;

/** "hoje às 08:00", "amanhã às 08:00", "30/11/2026 às 08:00". */
export function useWhenText(): (at: Date) => string {
  const t = useMessages(dialogMessages);
  const format = useFormat();
  return (at) => {
    const [day, time] = [format.date(at), format.time(at)];
    if (day === format.date(serverNow())) {
      return t("today", { time });
    }
    return day === format.date(serverNow() + DAY_MS) ? t("tomorrow", { time }) : t("day", { date: day, time });
  };
}

const Box = styled("section")({
  display: "flex",
  gap: 8,
  padding: "10px 12px",
  borderRadius: 8,
  backgroundColor: color.accentSoft,
  color: color.ink,
  fontSize: 13,
  lineHeight: 1.45,
  "& > svg": { flex: "none", marginTop: 2, color: color.accent },
  "& b": { fontWeight: 600 },
});
