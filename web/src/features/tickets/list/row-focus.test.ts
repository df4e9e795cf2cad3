import { expect, test } from "vitest";
import { focusActiveRow, registerFocusableList, stepFrom } from "./row-focus.ts";

test.each([
  [-1, 1, 5, 0],
  [-1, -1, 5, 0],
  [0, 1, 5, 1],
  [4, 1, 5, 4],
  [0, -1, 5, 0],
])("from row %i a step of %i in %i rows leads to row %i (Z-01)", (at, by, count, to) => {
  expect(stepFrom(at, by, count)).toBe(to);
});

test("the focus goes to the list that is on the screen, and to none after it is left (Z-01)", () => {
  expect(focusActiveRow()).toBe(false);
  const leaveFirst = registerFocusableList({ focusActive: () => false });
  const leaveSecond = registerFocusableList({ focusActive: () => true });
  // React mounts the next list before it leaves the one before
  leaveFirst();
  expect(focusActiveRow()).toBe(true);
  leaveSecond();
  expect(focusActiveRow()).toBe(false);
});
