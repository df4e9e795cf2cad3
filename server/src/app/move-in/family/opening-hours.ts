import { defaultSchedules, savedSchedules, weekdaysEn } from "@prosa/contract";
import type { ScheduleDay } from "@prosa/contract";
import { textOf } from "../values.ts";

const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/u;

/** Service hours of the family, one entry a weekday; null where there are none or they contradict themselves. */
export function savedWeekOf(value: unknown): ScheduleDay[] | null {
  const given = Array.isArray(value) ? (value as Readonly<Record<string, unknown>>[]) : [];
  if (given.length === 0) {
    return null;
  }
  const week = weekdaysEn.map((weekdayEn, index) => {
    const day = given.find((each) => textOf(each["weekdayEn"]).toLowerCase() === weekdayEn) ?? {};
    const time = (...names: string[]) => names.map((name) => textOf(day[name])).find((text) => clockTime.test(text));
    const [second, end] = [time("startTime2", "startTimeB"), time("endTime2", "endTimeB")];
    return {
      weekday: textOf(day["weekday"], 30) || (defaultSchedules[index]?.weekday ?? weekdayEn),
      weekdayEn,
      startTime: time("startTime", "startTimeA") ?? "00:00",
      endTime: time("endTime", "endTimeA") ?? "00:00",
      startTime2: second && end ? second : null,
      endTime2: second && end ? end : null,
    };
  });
  const parsed = savedSchedules.safeParse(week);
  return parsed.success ? parsed.data : null;
}
