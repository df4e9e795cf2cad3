import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isFirstTab } from "./firstTab.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("one of several tabs notifies, and none where one of them shows the conversation, whichever hears first (N-01)", async () => {
  vi.stubGlobal("navigator", { locks: someLocks() });
  const [one, other] = [isFirstTab("7", false), isFirstTab("7", false)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect([await one, await other]).toEqual([true, false]);

  const board = isFirstTab("8", false);
  await vi.advanceTimersByTimeAsync(100);
  const reading = isFirstTab("8", true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([await board, await reading]).toEqual([false, true]);
});

test("without locks, as where the page is not secure, each tab notifies at once (N-01)", async () => {
  vi.stubGlobal("navigator", {});
  await expect(isFirstTab("7", false)).resolves.toBe(true);
});

/** The browser's locks as all its tabs see them, as far as `ifAvailable` goes. */
function someLocks() {
  const held = new Set<string>();
  return {
    async request(name: string, _: { readonly ifAvailable: true }, work: (lock: object | null) => Promise<void>) {
      if (held.has(name)) {
        return work(null);
      }
      held.add(name);
      return work({ name }).finally(() => held.delete(name));
    },
  };
}
