import { recurrenceMonths } from "@prosa/contract";
import { expect, test } from "vitest";
import { addMonths, dueTone } from "./due-date.ts";

test.each([
  [6, undefined],
  [5, "yellow"],
  [4, "orange"],
  [0, "orange"],
  [-3, "orange"],
  [-4, "red"],
  [-5, undefined],
] as const)("with %i days to the due date the row is %s (Y-01)", (days, tone) => {
  expect(dueTone(days)).toBe(tone);
});

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
