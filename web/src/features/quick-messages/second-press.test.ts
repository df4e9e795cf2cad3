import { expect, test } from "vitest";
import { isSecondPress } from "./second-press.ts";

const told = { text: "/ok", at: 10_000 };

test.each([
  { what: "an answer to the notice", text: "/ok", now: 12_000, is: true },
  { what: "a double tap, before it could be read", text: "/ok", now: 10_200, is: false },
  { what: "about another text", text: "/okay", now: 12_000, is: false },
  { what: "long after the notice went", text: "/ok", now: 80_000, is: false },
])("the second press of Send is $what: $is (M-12)", ({ text, now, is }) => {
  expect(isSecondPress(told, text, now)).toBe(is);
});

test("the first press is none (M-12)", () => {
  expect(isSecondPress(undefined, "/ok", 12_000)).toBe(false);
});
