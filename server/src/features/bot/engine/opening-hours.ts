import type { ScheduleDay } from "@prosa/contract";

const weekdayOf = {
  Mon: "monday",
  Tue: "tuesday",
  Wed: "wednesday",
  Thu: "thursday",
  Fri: "friday",
  Sat: "saturday",
  Sun: "sunday",
} as const;

/**
 * True if the opening hours contain this moment, in the company's time zone. Two ranges a day; a range whose ends are
 * equal is closed (specification 2, section 9: Sunday 00:00–00:00); one that ends before it starts continues after midnight.
 */
export function isOpenAt(schedules: readonly ScheduleDay[], at: Date, timeZone: string): boolean {
  const { weekday, minute } = localTime(at, timeZone);
  const today = schedules.find(({ weekdayEn }) => weekdayEn === weekday);
  const yesterday = schedules.find(({ weekdayEn }) => weekdayEn === dayBefore(weekday));
  return (
    rangesOf(today).some(([start, end]) =>
      start < end ? minute >= start && minute < end : minute >= start && start !== end,
    ) || rangesOf(yesterday).some(([start, end]) => start > end && minute < end)
  );
}

type Weekday = (typeof weekdayOf)[keyof typeof weekdayOf];

function localTime(at: Date, timeZone: string): { readonly weekday: Weekday; readonly minute: number } {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  const weekday = weekdayOf[part("weekday") as keyof typeof weekdayOf];
  return { weekday, minute: Number(part("hour")) * 60 + Number(part("minute")) };
}

function rangesOf(day: ScheduleDay | undefined): (readonly [number, number])[] {
  if (!day) {
    return [];
  }
  const first = [minutesOf(day.startTime), minutesOf(day.endTime)] as const;
  return day.startTime2 && day.endTime2 ? [first, [minutesOf(day.startTime2), minutesOf(day.endTime2)]] : [first];
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}

function dayBefore(weekday: Weekday): Weekday {
  const days = Object.values(weekdayOf);
  return days[(days.indexOf(weekday) + days.length - 1) % days.length] ?? weekday;
}
