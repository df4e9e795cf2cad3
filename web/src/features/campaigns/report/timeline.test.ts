import { expect, test } from "vitest";
import { cumulate } from "./timeline.ts";

test("the curves of a campaign rise to its figures (K-07)", () => {
  const steps = [
    { at: "2026-11-25T12:00:00Z", sent: 3, delivered: 1, read: 0, answered: 0 },
    { at: "2026-11-25T12:05:00Z", sent: 0, delivered: 2, read: 1, answered: 0 },
    { at: "2026-11-25T12:10:00Z", sent: 2, delivered: 1, read: 1, answered: 1 },
  ];

  expect(cumulate(steps)).toEqual([
    { at: steps[0]!.at, sent: 3, delivered: 1, read: 0, answered: 0 },
    { at: steps[1]!.at, sent: 3, delivered: 3, read: 1, answered: 0 },
    { at: steps[2]!.at, sent: 5, delivered: 4, read: 2, answered: 1 },
  ]);
  expect(cumulate([])).toEqual([]);
});
