import type { SendingRules } from "@prosa/contract/sending";
import { closingOf, endOfDay, nextOpening } from "@prosa/contract/work-hours";
import { sendingSeconds, type Pace } from "./estimate.ts";

/** When a campaign begins and ends under the company's own rules, as far as the future can be known. */
export interface Forecast {
  readonly first: Date;
  /** Null: the limits of its lines a day are reached before, and what they are tomorrow is not known. */
  readonly last: Date | null;
  /** So many conversations its lines may start on the first day; null: any number of those there are. */
  readonly onFirstDay: number | null;
}

/** Nobody plans further ahead; hours of one minute a day would be counted for years. */
const MAX_DAYS = 400;

/**
 * A campaign of so many contacts that is sent at a time over these lines (P-03). The contacts count as new: a message to somebody who
 * wrote lately takes none of a line's day, so the first day may reach more than is said.
 */
export function forecast(
  { contacts, lineIds, at, now }: { contacts: number; lineIds: readonly number[]; at: Date; now: Date },
  { rules, pace, timeZone }: { readonly rules: SendingRules; readonly pace: Pace; readonly timeZone: string },
): Forecast {
  const { hours } = rules;
  const opening = (from: Date) => nextOpening(hours, from, timeZone) ?? from;
  const today = endOfDay(now, timeZone);
  const roomOn = (day: Date) => roomOf(rules, lineIds, endOfDay(day, timeZone) <= today);
  let first = opening(at);
  // A line whose day is used up begins on the next, where it may start any at all.
  if (contacts > 0 && roomOn(first) === 0 && roomOf(rules, lineIds, false) !== 0) {
    first = opening(endOfDay(first, timeZone));
  }
  const room = roomOn(first);
  if (room !== null && room < contacts) {
    return { first, last: null, onFirstDay: room };
  }
  let leftMs = 1_000 * sendingSeconds(contacts, lineIds.length, pace, rules.minGapSeconds);
  let from = first;
  for (let days = 0; days < MAX_DAYS; days += 1) {
    const closing = closingOf(hours, from, timeZone);
    const openMs = closing === null ? Infinity : closing.getTime() - from.getTime();
    if (leftMs < openMs || closing === null) {
      break;
    }
    leftMs -= openMs;
    from = opening(closing);
  }
  return { first, last: new Date(from.getTime() + leftMs), onFirstDay: null };
}

/** How many conversations these lines may still start on a day; null: any number. */
function roomOf({ lines }: SendingRules, lineIds: readonly number[], isToday: boolean): number | null {
  const chosen = lines.filter(({ whatsappId }) => lineIds.includes(whatsappId));
  let room = 0;
  for (const { dailyCap, warmUpLimit, startedToday } of chosen) {
    if (dailyCap === null && warmUpLimit === null) {
      return null;
    }
    const limit = Math.min(dailyCap ?? Infinity, warmUpLimit ?? Infinity);
    room += Math.max(0, limit - (isToday ? startedToday : 0));
  }
  return chosen.length === 0 ? null : room;
}
