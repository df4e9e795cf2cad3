import { defaultSchedules } from "@prosa/contract";
import { expect, test } from "vitest";
import { isOpenAt, nextOpening } from "./opening-hours.ts";

const zone = "America/Sao_Paulo";
/** 2026-11-16 is a Monday; São Paulo is three hours behind UTC. */
const at = (day: number, clock: string) => new Date(`2026-11-${15 + day}T${clock}:00-03:00`);

test.each([
  ["Monday before eight", at(1, "07:59"), false],
  ["Monday at eight", at(1, "08:00"), true],
  ["Monday at six in the evening", at(1, "18:00"), false],
  ["Saturday before noon", at(6, "11:59"), true],
  ["Saturday afternoon", at(6, "12:00"), false],
  ["Sunday", at(7, "10:00"), false],
])("the default timetable on %s (Q-06)", (_, moment, isOpen) => {
  expect(isOpenAt(defaultSchedules, moment, zone)).toBe(isOpen);
});

test("the company's own time zone decides (Q-06)", () => {
  const moment = at(1, "08:30");
  expect(isOpenAt(defaultSchedules, moment, zone)).toBe(true);
  expect(isOpenAt(defaultSchedules, moment, "America/Rio_Branco")).toBe(false);
});

test("two ranges a day leave lunch closed, and a night shift goes past midnight (Q-06)", () => {
  const lunch = defaultSchedules.map((day) => ({ ...day, endTime: "12:00", startTime2: "13:30", endTime2: "18:00" }));
  expect(["11:59", "12:30", "13:30"].map((clock) => isOpenAt(lunch, at(2, clock), zone))).toEqual([true, false, true]);
  const night = defaultSchedules.map((day) => ({ ...day, startTime: "22:00", endTime: "02:00" }));
  expect(["21:59", "23:00", "01:30", "02:00"].map((clock) => isOpenAt(night, at(3, clock), zone))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("a day that ends at 23:59 is open until midnight (Q-06)", () => {
  const always = defaultSchedules.map((day) => ({ ...day, startTime: "00:00", endTime: "23:59" }));
  expect(["00:00", "23:58", "23:59"].map((clock) => isOpenAt(always, at(1, clock), zone))).toEqual([true, true, true]);
  const late = defaultSchedules.map((day) => ({ ...day, startTime: "18:00", endTime: "23:59" }));
  expect([at(1, "23:59"), at(2, "00:00")].map((moment) => isOpenAt(late, moment, zone))).toEqual([true, false]);
  const never = defaultSchedules.map((day) => ({ ...day, startTime: "23:59", endTime: "23:59" }));
  expect(isOpenAt(never, at(1, "23:59"), zone)).toBe(false);
});

test.each([
  ["Monday before eight", at(1, "07:59"), { weekday: "monday", daysAhead: 0, clock: "08:00" }],
  ["Monday at night", at(1, "21:00"), { weekday: "tuesday", daysAhead: 1, clock: "08:00" }],
  ["Saturday afternoon, over the closed Sunday", at(6, "15:00"), { weekday: "monday", daysAhead: 2, clock: "08:00" }],
])("after %s the next opening is known (B-03)", (_, moment, opening) => {
  expect(nextOpening(defaultSchedules, moment, zone)).toEqual(opening);
});

test("the next opening may be after lunch, or in a week, or never (B-03)", () => {
  const lunch = defaultSchedules.map((day) => ({ ...day, endTime: "12:00", startTime2: "13:30", endTime2: "18:00" }));
  expect(nextOpening(lunch, at(2, "12:30"), zone)).toEqual({ weekday: "tuesday", daysAhead: 0, clock: "13:30" });
  const tuesdays = defaultSchedules.filter(({ weekdayEn }) => weekdayEn === "tuesday");
  expect(nextOpening(tuesdays, at(2, "19:00"), zone)).toEqual({ weekday: "tuesday", daysAhead: 7, clock: "08:00" });
  const never = defaultSchedules.map((day) => ({ ...day, startTime: "00:00", endTime: "00:00" }));
  expect(nextOpening(never, at(2, "19:00"), zone)).toBeNull();
});
