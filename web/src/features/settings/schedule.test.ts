import { defaultSchedules, type ScheduleDay } from "@prosa/contract/queues";
import { expect, test } from "vitest";
import { closed, copiedToWorkdays, isClosed, isOvernight, opened, withBreak, withoutBreak } from "./schedule.ts";

const [monday, , , , , saturday, sunday] = defaultSchedules as [
  ScheduleDay,
  ScheduleDay,
  ScheduleDay,
  ScheduleDay,
  ScheduleDay,
  ScheduleDay,
  ScheduleDay,
];

test("Sunday is closed, and a day can be closed and opened (G-03)", () => {
  expect([monday, saturday, sunday].map(isClosed)).toEqual([false, false, true]);
  expect(isClosed(closed(monday))).toBe(true);
  expect(opened(sunday)).toMatchObject({ weekdayEn: "sunday", startTime: "08:00", endTime: "18:00" });
});

test("a break cuts a long day in two, and taking it away gives the day back (G-03)", () => {
  const cut = withBreak(monday);
  expect(cut).toMatchObject({ startTime: "08:00", endTime: "12:00", startTime2: "13:00", endTime2: "18:00" });
  expect(withoutBreak(cut)).toEqual(monday);
  expect(withBreak(saturday)).toMatchObject({ endTime: "12:00", startTime2: "13:00", endTime2: "18:00" });
});

test("one day's hours are copied to the other workdays, not to the weekend (G-03)", () => {
  const week = copiedToWorkdays(defaultSchedules, { ...monday, startTime: "09:30" });
  expect(week.map(({ startTime }) => startTime)).toEqual([
    "09:30",
    "09:30",
    "09:30",
    "09:30",
    "09:30",
    "08:00",
    "00:00",
  ]);
  expect(week.map(({ weekdayEn }) => weekdayEn)).toEqual(defaultSchedules.map(({ weekdayEn }) => weekdayEn));
});

test("a range that ends before it begins goes past midnight (G-03)", () => {
  expect([isOvernight("22:00", "02:00"), isOvernight("08:00", "18:00"), isOvernight(null, null)]).toEqual([
    true,
    false,
    false,
  ]);
});
