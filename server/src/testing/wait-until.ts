import { setTimeout as sleep } from "node:timers/promises";

/** Waits for something that happens in another process. Rejects when it does not come about in time. */
export async function waitUntil(isSo: () => Promise<unknown>, withinMs = 60_000): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) {
      throw new Error(`It did not come about in ${withinMs} ms: ${isSo.toString()}`);
    }
    await sleep(50);
  }
}
