import { expect, test } from "vitest";
import { stepFor, timelineOf } from "./timeline.ts";

const day = 86_400;

test.each([
  [0, 60],
  [59 * 60 + 59, 60],
  [60 * 60, 120],
  [5 * 3_600, 600],
  [day, 1_800],
  [30 * day, day],
  [60 * day, 2 * day],
  [2_000 * day, 34 * day],
])("%i seconds are told in steps of %i, at most 60 of them (K-07)", (seconds, step) => {
  expect(stepFor(seconds)).toBe(step);
  expect(Math.floor(seconds / step) + 1).toBeLessThanOrEqual(60);
});

test("steps without anything are there too, and what is before the start belongs to it (K-07)", () => {
  const start = new Date("2026-05-04T12:00:00Z");
  const nothing = { sent: 0, delivered: 0, read: 0, answered: 0 };
  const { steps } = timelineOf(start, 60, [
    { ...nothing, step: -3, sent: 1 },
    { ...nothing, step: 0, sent: 2, read: 1 },
    { ...nothing, step: 2, answered: 1 },
  ]);
  expect(steps).toEqual([
    { ...nothing, at: "2026-05-04T12:00:00.000Z", sent: 3, read: 1 },
    { ...nothing, at: "2026-05-04T12:01:00.000Z" },
    { ...nothing, at: "2026-05-04T12:02:00.000Z", answered: 1 },
  ]);
  expect(timelineOf(start, 60, []).steps).toEqual([]);
});
