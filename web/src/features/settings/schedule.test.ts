import { defaultSchedules, isOverlapping, type ScheduleDay } from "@prosa/contract/queues";
import { expect, test } from "vitest";
import {
  changedDays,
  closed,
  copiedToWorkdays,
  hasTimesOnly,
  isClosed,
  isOvernight,
  joinedDays,
  opened,
  withBreak,
  withDays,
  withoutBreak,
} from "./schedule.ts";

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

test("a break splits a long day in two, and removing it restores the day (G-03)", () => {
  const cut = withBreak(monday);
  expect(cut).toMatchObject({ startTime: "08:00", endTime: "12:00", startTime2: "13:00", endTime2: "18:00" });
  expect(withoutBreak(cut)).toEqual(monday);
  expect(withBreak(saturday)).toMatchObject({ endTime: "12:00", startTime2: "13:00", endTime2: "18:00" });
  const late = { ...monday, startTime: "14:00", endTime: "22:00" };
  expect(withBreak(late)).toMatchObject({ endTime: "17:30", startTime2: "18:30", endTime2: "22:00" });
  const overnight = { ...monday, startTime: "18:00", endTime: "02:00" };
  expect(withBreak(overnight)).toMatchObject({ endTime: "21:30", startTime2: "22:30", endTime2: "02:00" });
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

test("a second range begins after the first has ended (G-03, Q-01)", () => {
  const day = (endTime: string, startTime2: string | null, endTime2: string | null) =>
    isOverlapping({ ...monday, endTime, startTime2, endTime2 });
  expect([day("12:00", "13:00", "18:00"), day("12:00", "12:00", "18:00"), day("12:00", "20:00", "02:00")]).toEqual([
    false,
    false,
    false,
  ]);
  expect([day("12:00", "11:00", "18:00"), day("18:00", "06:00", "07:00"), day("02:00", "20:00", "22:00")]).toEqual([
    true,
    true,
    true,
  ]);
  expect([day("12:00", null, null), day("12:00", "11:00", "11:00")]).toEqual([false, false]);
  for (const each of [monday, saturday, { ...monday, startTime: "14:00", endTime: "15:00" }]) {
    expect(isOverlapping(withBreak(each))).toBe(false);
  }
});

test("changed days are laid over the week that colleagues saved meanwhile (G-03)", () => {
  const late = { ...monday, endTime: "20:00" };
  const days = joinedDays([{ ...monday, endTime: "19:00" }], changedDays(defaultSchedules, [late, saturday]));
  expect(days).toEqual([late]);
  const theirs = defaultSchedules.map((day) => (day.weekdayEn === "saturday" ? closed(day) : day));
  expect(changedDays(theirs, withDays(theirs, days))).toEqual([late]);
  // Of a save whose answer was lost: the server may have it, so the day that is put back is a change.
  expect(changedDays(defaultSchedules, defaultSchedules, [late])).toEqual([monday]);
});

test("a week with a text that is no time is known (G-03)", () => {
  expect(hasTimesOnly(defaultSchedules)).toBe(true);
  expect(hasTimesOnly([{ ...monday, startTime2: "13:00", endTime2: "25:00" }])).toBe(false);
});
