import { expect, test } from "vitest";
import { withoutSeparator } from "./arguments.mjs";

test.each([
  [
    ["--", "unit", "tickets"],
    ["unit", "tickets"],
  ],
  [
    ["unit", "tickets"],
    ["unit", "tickets"],
  ],
  [["--fix"], ["--fix"]],
  [[], []],
])("%j reach the command as %j, with npm and without", (given, expected) => {
  expect(withoutSeparator(given)).toEqual(expected);
});
