import { setTimeout as sleep } from "node:timers/promises";
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { observeEventLoopLag } from "./event-loop-lag.ts";

const BLOCK_MS = 150;

test("the lag of the event loop is that of one that is held up, since the last scrape", async () => {
  const registry = new Registry();
  onTestFinished(observeEventLoopLag(registry));
  const maxLag = async () =>
    Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await registry.metrics())?.[1] ?? Number.NaN);
  expect(await maxLag()).toBe(0);

  await expect
    .poll(
      async () => {
        block();
        await sleep(50);
        return maxLag();
      },
      { timeout: 10_000, interval: 10 },
    )
    .toBeGreaterThan((BLOCK_MS - 50) / 1_000);
});

function block(): void {
  for (const until = performance.now() + BLOCK_MS; performance.now() < until;) {}
}
