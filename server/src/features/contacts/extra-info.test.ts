import { expect, test } from "vitest";
import { mergedExtraInfo } from "./extra-info.ts";

const pairs = (text: string) =>
  text
    .split(" ")
    .filter(Boolean)
    .map((pair) => ({ name: pair.charAt(0), value: pair.slice(1) }));

test.each([
  ["a1 b2", "a1", "a1", "a1 b2", "adds"],
  ["a1 b2", "a1", "a1 c3", "a1 b2 c3", "adds beside what a colleague added"],
  ["a2", "a1", "a1 c3", "a2 c3", "changes a value beside it"],
  ["", "a1", "a1 c3", "c3", "deletes beside it"],
  ["a1 b1 c2", "a1 b1", "b1", "b1 c2", "leaves deleted what a colleague deleted"],
  ["a1 b1 c2", "a1 b1", "a9 b1", "b1 c2 a9", "leaves the value that a colleague changed"],
  ["a2", "a1", "a3", "a2 a3", "loses neither value where both changed it"],
  ["a1 b2", "a1", "a1 b2", "a1 b2", "is the same when it is sent again"],
])("%j, opened with %j, where there is now %j, is saved as %j: %s (C-02)", (wanted, known, newest, saved) => {
  const merged = mergedExtraInfo(pairs(wanted), { known: pairs(known), newest: pairs(newest) });
  expect(merged).toEqual(pairs(saved));
});
