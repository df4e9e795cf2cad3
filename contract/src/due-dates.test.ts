import { expect, test } from "vitest";
import { recurrenceMonths } from "./companies.ts";
import { addDays, addMonths, dueDayOf } from "./due-dates.ts";

test.each([
  ["MENSAL", "2026-03-15", "2026-04-15"],
  ["MENSAL", "2026-01-31", "2026-02-28"],
  ["MENSAL", "2028-01-31", "2028-02-29"],
  ["BIMESTRAL", "2026-12-31", "2027-02-28"],
  ["TRIMESTRAL", "2026-11-30", "2027-02-28"],
  ["SEMESTRAL", "2026-08-31", "2027-02-28"],
  ["ANUAL", "2028-02-29", "2029-02-28"],
] as const)("%s moves %s to %s (Y-01)", (recurrence, from, to) => {
  expect(addMonths(from, recurrenceMonths[recurrence])).toBe(to);
});

test.each([
  ["2026-01-31", 1, ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]],
  ["2028-02-29", 12, ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]],
  ["2026-12-30", 2, ["2027-02-28", "2027-04-30", "2027-06-30", "2027-08-30"]],
] as const)(
  "from %s on every %i months the day of the month comes back after a shorter one (F-04)",
  (first, months, days) => {
    const dueDay = dueDayOf(first, null);
    const walked = days.map((_, index) =>
      days.slice(0, index + 1).reduce<string>((day) => addMonths(day, months, dueDay), first),
    );
    expect(walked).toEqual(days);
  },
);

test("a stored due day counts at the end of a shorter month alone: another date has been chosen since (F-04)", () => {
  expect(addMonths("2026-07-10", 1, 31)).toBe("2026-08-10");
  expect(addMonths("2026-02-28", 1, 15)).toBe("2026-03-28");
  expect([dueDayOf("2026-02-28", 31), dueDayOf("2026-02-27", 31), dueDayOf("2026-01-31", null)]).toEqual([31, 27, 31]);
});

test("days are added over the ends of months and years", () => {
  expect([addDays("2027-10-03", 90), addDays("2028-03-01", -1)]).toEqual(["2028-01-01", "2028-02-29"]);
});
