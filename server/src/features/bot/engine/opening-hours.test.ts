import { defaultSchedules } from "@prosa/contract";
import { expect, test } from "vitest";
import { isOpenAt } from "./opening-hours.ts";

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
