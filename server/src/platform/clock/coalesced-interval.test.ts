import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { setCoalescedInterval } from "./coalesced-interval.ts";

test("intervals that begin at different times run at the same moments, once each, until they are ended", async () => {
  const ran: { readonly who: string; readonly at: number }[] = [];
  const begin = (who: string, ms: number) => setCoalescedInterval(() => ran.push({ who, at: performance.now() }), ms);
  const timesOf = (who: string) => ran.filter((run) => run.who === who).map(({ at }) => at);
  const endFirst = begin("first", 100);
  onTestFinished(endFirst);
  await sleep(37);
  onTestFinished(begin("second", 200));
  await expect.poll(() => timesOf("second").length).toBeGreaterThanOrEqual(3);

  const first = timesOf("first");
  for (const at of timesOf("second")) {
    expect(Math.min(...first.map((one) => Math.abs(one - at)))).toBeLessThan(30);
  }
  // Whatever the machine does, a run is in a moment of its own.
  const moments = first.map((at) => Math.round(at / 100));
  expect(new Set(moments).size).toBe(moments.length);

  endFirst();
  const runs = timesOf("first").length;
  const soFar = timesOf("second").length;
  await expect.poll(() => timesOf("second").length).toBeGreaterThan(soFar);
  expect(timesOf("first")).toHaveLength(runs);
});
