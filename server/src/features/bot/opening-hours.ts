import { wallClockOf, weekdaysEn } from "@prosa/contract";
import type { ScheduleDay } from "@prosa/contract";

type Weekday = ScheduleDay["weekdayEn"];
/** Start and end of a range of opening hours, in minutes since midnight. */
type Range = readonly [start: number, end: number];

/**
 * True if the opening hours contain this moment, in the company's time zone. Two ranges a day; a range whose ends are
 * equal is closed (specification 2, section 9: Sunday 00:00–00:00); one that ends before it starts continues after midnight,
 * and one until 23:59 lasts to it.
 */
export function isOpenAt(schedules: readonly ScheduleDay[], at: Date, timeZone: string): boolean {
  const { weekday, minute } = localTime(at, timeZone);
  return (
    rangesOf(schedules, weekday).some(([start, end]) =>
      start < end ? minute >= start && minute < end : minute >= start,
    ) || rangesOf(schedules, dayAfter(weekday, 6)).some(([start, end]) => start > end && minute < end)
  );
}

/** When a closed company opens next. */
export interface Opening {
  readonly weekday: Weekday;
  /** 0 for today, 1 for tomorrow, up to 7. */
  readonly daysAhead: number;
  /** 08:00, in the company's time zone. */
  readonly clock: string;
}

/** The next start of a range after this moment, within a week; null if there is none. */
export function nextOpening(schedules: readonly ScheduleDay[], at: Date, timeZone: string): Opening | null {
  const now = localTime(at, timeZone);
  for (let daysAhead = 0; daysAhead <= 7; daysAhead += 1) {
    const weekday = dayAfter(now.weekday, daysAhead);
    const starts = rangesOf(schedules, weekday).map(([start]) => start);
    const next = Math.min(...starts.filter((start) => daysAhead > 0 || start > now.minute));
    if (Number.isFinite(next)) {
      return { weekday, daysAhead, clock: clockOf(next) };
    }
  }
  return null;
}

function localTime(at: Date, timeZone: string): { readonly weekday: Weekday; readonly minute: number } {
  const wallClock = wallClockOf(at, timeZone);
  // The weekdays of the contract begin with Monday.
  const weekday = weekdaysEn[(new Date(`${wallClock}Z`).getUTCDay() + 6) % 7] ?? "monday";
  return { weekday, minute: Number(wallClock.slice(11, 13)) * 60 + Number(wallClock.slice(14)) };
}

/** The ranges of a weekday, without those whose ends are equal. */
function rangesOf(schedules: readonly ScheduleDay[], weekday: Weekday): readonly Range[] {
  const day = schedules.find(({ weekdayEn }) => weekdayEn === weekday);
  if (!day) {
    return [];
  }
  const first: Range = [minutesOf(day.startTime), minutesOf(day.endTime)];
  const all: Range[] =
    day.startTime2 && day.endTime2 ? [first, [minutesOf(day.startTime2), minutesOf(day.endTime2)]] : [first];
  return all.filter(([start, end]) => start !== end).map(([start, end]) => [start, end === lastMinute ? end + 1 : end]);
}

/** 23:59, the latest end that can be chosen: whoever chooses it means the end of the day. */
const lastMinute = 24 * 60 - 1;

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}

function clockOf(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

function dayAfter(weekday: Weekday, days: number): Weekday {
  return weekdaysEn[(weekdaysEn.indexOf(weekday) + days) % 7] ?? weekday;
}
