/** How does the editor change a week of opening hours? Pure. */
import type { ScheduleDay } from "@prosa/contract/queues";
import { isTime } from "#web/ui/dates/parse.ts";

/** Equal start and end mean closed (specification 2 section 9: Sunday 00:00–00:00). */
export function isClosed({ startTime, endTime, startTime2, endTime2 }: ScheduleDay): boolean {
  return startTime === endTime && (startTime2 === null || startTime2 === endTime2);
}

export function closed(day: ScheduleDay): ScheduleDay {
  return { ...day, startTime: "00:00", endTime: "00:00", startTime2: null, endTime2: null };
}

export function opened(day: ScheduleDay): ScheduleDay {
  return { ...day, startTime: "08:00", endTime: "18:00", startTime2: null, endTime2: null };
}

const noon = 12 * 60;
const hour = 60;

/** Adds a break of an hour: at noon, else in the middle; after a morning or a range of up to two hours, with a second range. */
export function withBreak(day: ScheduleDay): ScheduleDay {
  const start = minutesOf(day.startTime);
  const end = start + ((minutesOf(day.endTime) - start + 24 * hour) % (24 * hour));
  if (start < noon && end > noon + hour) {
    return splitInTwo(day, noon, end);
  }
  if (end <= noon) {
    return { ...day, startTime2: "13:00", endTime2: "18:00" };
  }
  const isShort = end - start <= 2 * hour;
  return isShort ? splitInTwo(day, end, end + 2 * hour) : splitInTwo(day, Math.floor((start + end - hour) / 2), end);
}

function splitInTwo(day: ScheduleDay, from: number, end: number): ScheduleDay {
  return { ...day, endTime: clockOf(from), startTime2: clockOf(from + hour), endTime2: clockOf(end) };
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * hour + minutes;
}

function clockOf(minutes: number): string {
  const inDay = minutes % (24 * hour);
  return [Math.floor(inDay / hour), inDay % hour].map((part) => String(part).padStart(2, "0")).join(":");
}

/** One range again: from the first start to the last end. */
export function withoutBreak(day: ScheduleDay): ScheduleDay {
  return { ...day, endTime: day.endTime2 ?? day.endTime, startTime2: null, endTime2: null };
}

/** The days of a week that are not as they were before, and those that a failed save has tried: the server may have them. */
export function changedDays(
  before: readonly ScheduleDay[],
  week: readonly ScheduleDay[],
  tried: readonly ScheduleDay[] = [],
): ScheduleDay[] {
  return week.filter(
    (day) => dayOf(tried, day) !== undefined || JSON.stringify(day) !== JSON.stringify(dayOf(before, day)),
  );
}

/** Days that were changed, and others that are changed now, which win. */
export function joinedDays(before: readonly ScheduleDay[], days: readonly ScheduleDay[]): ScheduleDay[] {
  return [...before.filter((day) => dayOf(days, day) === undefined), ...days];
}

/** A week with other days in the place of some: colleagues may have changed the rest of it since. */
export function withDays(week: readonly ScheduleDay[], days: readonly ScheduleDay[]): ScheduleDay[] {
  return week.map((day) => dayOf(days, day) ?? day);
}

function dayOf(days: readonly ScheduleDay[], { weekdayEn }: ScheduleDay): ScheduleDay | undefined {
  return days.find((day) => day.weekdayEn === weekdayEn);
}

/** Are all times of a week times of day? A text that was not understood stays in it, as it was typed. */
export function hasTimesOnly(week: readonly ScheduleDay[]): boolean {
  return week.every(({ startTime, endTime, startTime2, endTime2 }) =>
    [startTime, endTime, startTime2, endTime2].every((time) => time === null || isTime(time)),
  );
}

/** Copies the hours of one day to Monday to Friday. */
export function copiedToWorkdays(week: readonly ScheduleDay[], from: ScheduleDay): ScheduleDay[] {
  const { startTime, endTime, startTime2, endTime2 } = from;
  return week.map((day) =>
    day.weekdayEn === "saturday" || day.weekdayEn === "sunday"
      ? day
      : { ...day, startTime, endTime, startTime2, endTime2 },
  );
}

/** Does a range go on after midnight? */
export function isOvernight(start: string | null, end: string | null): boolean {
  return start !== null && end !== null && end < start;
}
