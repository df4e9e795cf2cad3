/** Which schedules lie in a range of days? Pure. */
import type { Schedule } from "@prosa/contract/schedules";
import { instantOf, wallClockOf } from "@prosa/contract/zoned-time";

/** First and last day, both included, in the company's time zone: `2026-11-30`. */
export interface DayRange {
  readonly dateStart: string;
  readonly dateEnd: string;
  readonly timeZone: string;
}

/** The calendar's range ends before its last instant: midnight belongs to the next day. */
export function rangeOf(start: Date, end: Date, timeZone: string): DayRange {
  return { dateStart: dayOf(start, timeZone), dateEnd: dayOf(new Date(end.getTime() - 1), timeZone), timeZone };
}

/** The schedules of a range after one of them was added, changed or moved, in the order of their times. */
export function putIntoRange(
  schedules: readonly Schedule[],
  changed: Schedule,
  { dateStart, dateEnd, timeZone }: DayRange,
): readonly Schedule[] {
  const others = schedules.filter(({ id }) => id !== changed.id);
  const day = dayOf(new Date(changed.sendAt), timeZone);
  return day >= dateStart && day <= dateEnd ? [...others, changed].toSorted(byTime) : others;
}

/** The day of an instant in a time zone: `2026-11-30`. */
export function dayOf(instant: Date, timeZone: string): string {
  return wallClockOf(instant, timeZone).slice(0, 10);
}

/** The time that a click on a day proposes: nine in the morning; today in one hour, like a new schedule. */
export function proposedTimeOn(
  day: string,
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): Date {
  const inAnHour = new Date(now.getTime() + 3_600_000);
  const morning = instantOf(`${day}T09:00`, timeZone);
  return day === dayOf(now, timeZone) || morning === undefined ? inAnHour : morning;
}

const shownMs = 30 * 60_000;

/** Until when a message is drawn: it has no length, but needs room. Never into the next day, where it would look like a second one. */
export function shownUntil(sendAt: string, timeZone: string): Date {
  const until = new Date(Date.parse(sendAt) + shownMs);
  const day = dayOf(until, timeZone);
  return day === dayOf(new Date(sendAt), timeZone) ? until : (instantOf(`${day}T00:00`, timeZone) ?? until);
}

function byTime(one: Schedule, other: Schedule): number {
  return Date.parse(one.sendAt) - Date.parse(other.sendAt) || one.id - other.id;
}
