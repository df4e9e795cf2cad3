import { expect, onTestFinished, test } from "vitest";
import { setCoalescedInterval } from "./coalesced-interval.ts";

test("intervals that begin at different times are run at the same moments, until they are ended", async () => {
  const ran: { readonly who: string; readonly at: number }[] = [];
  const begin = (who: string, ms: number) => setCoalescedInterval(() => ran.push({ who, at: performance.now() }), ms);
  const endFirst = begin("first", 100);
  onTestFinished(endFirst);
  await new Promise((resolve) => setTimeout(resolve, 37));
  onTestFinished(begin("second", 200));
  const timesOf = (who: string) => ran.filter((run) => run.who === who).map(({ at }) => at);
  await expect.poll(() => timesOf("second").length).toBe(3);

  for (const at of timesOf("second")) {
    const nearest = Math.min(...timesOf("first").map((one) => Math.abs(one - at)));
    expect(nearest).toBeLessThan(30);
  }
  endFirst();
  const runs = timesOf("first").length;
  await expect.poll(() => timesOf("second").length).toBe(5);
  expect(timesOf("first")).toHaveLength(runs);
});
