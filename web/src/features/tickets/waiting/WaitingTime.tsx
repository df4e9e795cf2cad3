import type { Ticket } from "@prosa/contract/tickets";
import { useOfMinute } from "#web/lib/browser/minute.ts";
import { useMessages, type Translate } from "#web/lib/text/i18n.ts";
import { color, visuallyHidden } from "#web/ui/theme.ts";
import { styled } from "#web/ui/styled.ts";
import { minutesWaited, waitingLabel, waitingTone } from "./waiting-time.ts";
import { waitingMessages } from "./waiting.i18n.ts";

interface WaitingTimeProps {
  readonly ticket: Pick<Ticket, "waitingSince" | "queue">;
}

/** How long the contact has been waiting, in a row of a list; nothing where nobody waits. Only this renders once a minute. */
export function WaitingTime({ ticket }: WaitingTimeProps) {
  const t = useMessages(waitingMessages);
  const minutes = useMinutesWaited(ticket);
  if (minutes === undefined) {
    return null;
  }
  const label = waitingLabel(minutes, t);
  return (
    <Pill data-tone={waitingTone(minutes, ticket)}>
      <span aria-hidden>{label}</span>
      <VisuallyHidden>{waitingSentence(minutes, t)}</VisuallyHidden>
    </Pill>
  );
}

/** The same as words of a line: "espera há 22 min"; `isShort`: "espera 22 min". */
export function WaitingText({ ticket, isShort }: WaitingTimeProps & { readonly isShort: boolean }) {
  const t = useMessages(waitingMessages);
  const minutes = useMinutesWaited(ticket);
  return minutes === undefined ? null : (
    <Words data-tone={waitingTone(minutes, ticket)}>
      {isShort
        ? t("waitsShort", { time: minutes < 1 ? "< 1 min" : waitingLabel(minutes, t) })
        : waitingSentence(minutes, t)}
    </Words>
  );
}

function useMinutesWaited(ticket: Pick<Ticket, "waitingSince">): number | undefined {
  const minutes = useOfMinute((now) => minutesWaited(ticket, now) ?? -1);
  return minutes < 0 ? undefined : minutes;
}

function waitingSentence(minutes: number, t: Translate<(typeof waitingMessages)["pt"]>): string {
  return minutes < 1 ? t("waitsNow") : t("waitsFor", { time: waitingLabel(minutes, t) });
}

const Pill = styled("span")({
  flex: "none",
  position: "relative",
  padding: "0 8px",
  borderRadius: 9,
  fontSize: 12,
  lineHeight: "18px",
  fontWeight: 600,
  fontVariantNumeric: "tabular-nums",
  whiteSpace: "nowrap",
  backgroundColor: color.chip,
  color: color.ink2,
  "&[data-tone='warning']": { backgroundColor: color.warningSoft, color: color.warningInk },
  "&[data-tone='late']": { backgroundColor: color.danger, color: color.onDanger },
});

const Words = styled("span")({
  fontVariantNumeric: "tabular-nums",
  "&[data-tone='warning']": { color: color.warningInk },
  "&[data-tone='late']": { color: color.danger },
});

const VisuallyHidden = styled("span")(visuallyHidden);
