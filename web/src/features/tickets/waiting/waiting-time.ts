import { defaultWaitLimits } from "@prosa/contract/queues";
import type { Ticket } from "@prosa/contract/tickets";
import type { Translate } from "#web/lib/text/i18n.ts";
import type { waitingMessages } from "./waiting.i18n.ts";

/** Grey until the first limit of the queue, then amber, and red from the second one on. */
export type WaitingTone = "calm" | "warning" | "late";

/** Whole minutes that the contact has been waiting at this time; undefined: nobody waits. */
export function minutesWaited({ waitingSince }: Pick<Ticket, "waitingSince">, now: number): number | undefined {
  return waitingSince === null ? undefined : Math.max(0, Math.floor((now - Date.parse(waitingSince)) / 60_000));
}

/** "4 min", "1 h 28", "3 d"; "agora" within the first minute. */
export function waitingLabel(minutes: number, t: Translate<(typeof waitingMessages)["pt"]>): string {
  if (minutes < 1) {
    return t("now");
  }
  if (minutes < 60) {
    return t("minutes", { minutes });
  }
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) {
    return t("days", { days: Math.floor(hours / 24) });
  }
  const rest = minutes % 60;
  return rest === 0 ? t("hours", { hours }) : t("hoursMinutes", { hours, minutes: String(rest).padStart(2, "0") });
}

/** By the limits of the ticket's queue, or those of the contract without a queue. A limit of 0 is off. */
export function waitingTone(minutes: number, { queue }: Pick<Ticket, "queue">): WaitingTone {
  const { waitWarningMinutes, waitLimitMinutes } = queue ?? defaultWaitLimits;
  if (waitLimitMinutes > 0 && minutes >= waitLimitMinutes) {
    return "late";
  }
  return waitWarningMinutes > 0 && minutes >= waitWarningMinutes ? "warning" : "calm";
}
