import { expect, test } from "vitest";
import { recurrenceMonths } from "./companies.ts";
import { addMonths } from "./due-dates.ts";

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
