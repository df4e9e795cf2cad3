import { expect, test } from "vitest";
import { clockIn, rangeBefore, rangeOf } from "./dashboard.range.ts";

const today = "2026-03-02";

test.each([
  [
    { days: 7, date_from: "", date_to: "" },
    { from: "2026-02-24", to: today },
  ],
  [
    { days: 90, date_from: "", date_to: "" },
    { from: "2025-12-03", to: today },
  ],
  [
    { days: 1, date_from: "2020-01-01", date_to: "2020-01-31" },
    { from: today, to: today },
  ],
  [
    { days: 0, date_from: "2026-03-01", date_to: "" },
    { from: "2026-03-01", to: null },
  ],
  [
    { days: 0, date_from: "", date_to: "2026-03-01" },
    { from: null, to: "2026-03-01" },
  ],
])("the filter %j is the days %j: a period ends today and goes before dates (D-01)", (filter, range) => {
  expect(rangeOf(filter, today)).toEqual(range);
});

test("the day and the time are the company's (D-01)", () => {
  const at = new Date("2026-03-02T01:30:05.9Z");
  expect([clockIn("America/Sao_Paulo", at), clockIn("UTC", at)]).toEqual([
    { today: "2026-03-01", time: "22:30:05" },
    { today: "2026-03-02", time: "01:30:05" },
  ]);
});

const noon = { today: "2026-11-23", time: "12:00:00" };
const dates = (from: string, to: string) => ({ days: 0, date_from: from, date_to: to });
const period = (days: number) => ({ days, date_from: "", date_to: "" });

test.each([
  // the same number of days, until the same time where the range is not over
  [period(7), noon, { from: "2026-11-10", to: "2026-11-16", untilTime: "12:00:00", unit: "days" }],
  [
    dates("2026-11-23", "2026-11-23"),
    noon,
    { from: "2026-11-22", to: "2026-11-22", untilTime: "12:00:00", unit: "days" },
  ],
  [dates("2026-11-22", "2026-11-22"), noon, { from: "2026-11-21", to: "2026-11-21", unit: "days" }],
  [dates("2026-11-02", "2026-11-11"), noon, { from: "2026-10-23", to: "2026-11-01", unit: "days" }],
  [dates("2026-11-20", ""), noon, { from: "2026-11-16", to: "2026-11-19", untilTime: "12:00:00", unit: "days" }],
  // a month, or this one until now: the same days of the month before
  [
    dates("2026-11-01", "2026-11-23"),
    noon,
    { from: "2026-10-01", to: "2026-10-23", untilTime: "12:00:00", unit: "month" },
  ],
  [
    dates("2026-11-01", "2026-11-30"),
    noon,
    { from: "2026-10-01", to: "2026-10-23", untilTime: "12:00:00", unit: "month" },
  ],
  [dates("2026-10-01", "2026-10-31"), noon, { from: "2026-09-01", to: "2026-09-30", unit: "month" }],
  [dates("2026-01-01", "2026-01-31"), noon, { from: "2025-12-01", to: "2025-12-31", unit: "month" }],
  [
    dates("2026-03-01", "2026-03-30"),
    { ...noon, today: "2026-03-30" },
    { from: "2026-02-01", to: "2026-02-28", unit: "month" },
  ],
  // seven days are seven days, also where they are those of the month; so is the first of a month
  [
    period(7),
    { ...noon, today: "2026-11-07" },
    { from: "2026-10-25", to: "2026-10-31", untilTime: "12:00:00", unit: "days" },
  ],
  [
    dates("2026-11-01", "2026-11-01"),
    { ...noon, today: "2026-11-01" },
    { from: "2026-10-31", to: "2026-10-31", untilTime: "12:00:00", unit: "days" },
  ],
  // without a start, from the year 1, or not begun yet: nothing before it
  [dates("0001-01-01", "2026-11-10"), noon, undefined],
  [dates("", "2026-11-10"), noon, undefined],
  [dates("2026-12-01", "2026-12-31"), noon, undefined],
])("the range %j at %j is compared with %j (D-02)", (filter, clock, before) => {
  expect(rangeBefore(filter, clock)).toEqual(before);
});
