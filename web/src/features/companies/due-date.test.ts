import { expect, test } from "vitest";
import { dueTone } from "./due-date.ts";

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
