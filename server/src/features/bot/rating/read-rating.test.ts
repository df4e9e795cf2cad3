import { expect, test } from "vitest";
import { readRating } from "./read-rating.ts";

const requestedAt = new Date("2026-11-18T13:00:00Z");
const after = (minutes: number) => new Date(requestedAt.getTime() + minutes * 60_000);

test.each([
  ["1", 0, 1],
  [" 3 ", 29, 3],
  ["2", 31, null],
  ["4", 1, null],
  ["nota 3", 1, 3],
  ["", 1, null],
])("%j after %i minutes is a rating of %s (Q-09)", (text, minutes, rating) => {
  expect(readRating(text, requestedAt, after(minutes))).toBe(rating);
});

test("without a rating request there is no rating (Q-09)", () => {
  expect(readRating("3", null, requestedAt)).toBeNull();
});
