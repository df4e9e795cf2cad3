import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPace, restAfter } from "./pace.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const takes = (ms: number) => async () => void (await vi.advanceTimersByTimeAsync(ms));

test("the tail rests as long as a batch took, not after a small one, and never for long", () => {
  expect([0, 9, 10, 15, 5_000].map(restAfter)).toEqual([0, 0, 10, 15, 20]);
});

test("a rest ends by itself, and only what comes during it waits", async () => {
  const pace = createPace();
  await pace.rest();
  await pace.measure(takes(18));
  await vi.advanceTimersByTimeAsync(5);
  const began = performance.now();
  const rested = pace.rest().then(() => performance.now() - began);
  await vi.advanceTimersByTimeAsync(100);
  expect(await rested).toBe(13);
  await pace.rest();
});

test("a rest ends at once for somebody who waits for all that is there", async () => {
  const pace = createPace();
  await pace.measure(takes(40));
  const rested = pace.rest();
  pace.hurry();
  await rested;
  await pace.rest();
});
