import { setTimeout as sleep } from "node:timers/promises";
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { observeEventLoopLag } from "./event-loop-lag.ts";

const BLOCK_MS = 150;

test("the lag of the event loop is how long it was held up since the last scrape, and never the time it slept", async () => {
  const registry = new Registry();
  onTestFinished(observeEventLoopLag(registry));
  const maxLag = async () =>
    Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await registry.metrics())?.[1] ?? Number.NaN);
  await sleep(20);
  await maxLag();

  block();
  await sleep(20);
  expect(await maxLag()).toBeGreaterThan((BLOCK_MS - 10) / 1_000);
  // Long enough to stand out from what a busy machine adds.
  await sleep(2_000);
  expect(await maxLag()).toBeLessThan(1.5);
});

function block(): void {
  const until = performance.now() + BLOCK_MS;
  while (performance.now() < until) {
    // the loop waits for it
  }
}
