import { expect, test } from "vitest";
import { matchNumber } from "./match-number.ts";

test.each([
  ["5511987650001", "551187650001"],
  ["551187650001", "551187650001"],
  // a land line has no ninth digit
  ["551133334444", "551133334444"],
  ["5511933334444", "5511933334444"],
  ["351912345678", "351912345678"],
  ["14155550100", "14155550100"],
])("the spellings of one Brazilian mobile match: %s as %s (K-02)", (digits, expected) => {
  expect(matchNumber(digits)).toBe(expected);
});
