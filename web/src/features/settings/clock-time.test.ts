import { expect, test } from "vitest";
import { completeTime, maskTime } from "./clock-time.ts";

test.each([
  ["0", "0"],
  ["08", "08"],
  ["080", "08:0"],
  ["0800", "08:00"],
  ["08:001", "08:00"],
  ["a8b3c0", "83:0"],
  ["", ""],
])("typing %j shows %j (G-03)", (typed, shown) => {
  expect(maskTime(typed)).toBe(shown);
});

test.each([
  ["8", "08:00"],
  ["18", "18:00"],
  ["830", "08:30"],
  ["18:05", "18:05"],
  ["24", undefined],
  ["0860", undefined],
  ["", undefined],
])("%j means %s (G-03)", (typed, meant) => {
  expect(completeTime(typed)).toBe(meant);
});
