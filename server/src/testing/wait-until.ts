import { setTimeout as sleep } from "node:timers/promises";

/** Polls a condition that depends on another process. Rejects after `withinMs`. */
export async function waitUntil(condition: () => Promise<unknown>, withinMs = 60_000): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) {
      throw new Error(`Timed out after ${withinMs} ms: ${condition.toString()}`);
    }
    await sleep(50);
  }
}
