/** A week of service hours, as its editor changes it. Pure. */
import type { ScheduleDay } from "@prosa/contract/queues";

/** Ends that are equal mean closed (specification 2 section 9: Sunday 00:00–00:00). */
export function isClosed({ startTime, endTime, startTime2, endTime2 }: ScheduleDay): boolean {
  return startTime === endTime && (startTime2 === null || startTime2 === endTime2);
}

export function closed(day: ScheduleDay): ScheduleDay {
  return { ...day, startTime: "00:00", endTime: "00:00", startTime2: null, endTime2: null };
}

export function opened(day: ScheduleDay): ScheduleDay {
  return { ...day, startTime: "08:00", endTime: "18:00", startTime2: null, endTime2: null };
}

/** A break in the middle: until noon, and from one o'clock to the end that was. */
export function withBreak(day: ScheduleDay): ScheduleDay {
  const isLong = day.startTime < "12:00" && day.endTime > "13:00";
  return isLong
    ? { ...day, endTime: "12:00", startTime2: "13:00", endTime2: day.endTime }
    : { ...day, startTime2: "13:00", endTime2: "18:00" };
}

/** One range again: from the first beginning to the last end. */
export function withoutBreak(day: ScheduleDay): ScheduleDay {
  return { ...day, endTime: day.endTime2 ?? day.endTime, startTime2: null, endTime2: null };
}

/** The hours of one day for Monday to Friday. */
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
