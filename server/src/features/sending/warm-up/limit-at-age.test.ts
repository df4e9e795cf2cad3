import { defaultWarmUpPlan } from "@prosa/contract";
import { expect, test } from "vitest";
import { limitAtAge } from "./limit-at-age.ts";

test.each([
  [0, 20],
  [1, 30],
  [2, 45],
  [3, 45],
  [4, 70],
  [6, 100],
  [12, 150],
  [13, 250],
  [28, 500],
  [29, null],
  [400, null],
  [null, null],
])("a line of %s whole days may start %s conversations a day (P-03)", (age, limit) => {
  expect(limitAtAge(defaultWarmUpPlan, age)).toBe(limit);
});

test("a plan in any order counts from its day on; before its first day and without steps there is no limit (P-03)", () => {
  const plan = [
    { day: 9, limit: null },
    { day: 3, limit: 5 },
  ];
  expect([1, 2, 7, 8].map((age) => limitAtAge(plan, age))).toEqual([null, 5, 5, null]);
  expect(limitAtAge([], 0)).toBeNull();
});
