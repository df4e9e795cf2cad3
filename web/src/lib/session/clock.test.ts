import { expect, onTestFinished, test, vi } from "vitest";
import { syncServerClock, serverNow } from "./clock.ts";

test("a clock that is wrong is known from any answer; seconds on the way are no difference (A-05)", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 2, 1, 10) });
  onTestFinished(() => void vi.useRealTimers());
  const [now, ahead] = [Date.now(), Date.now() + 600_000];
  syncServerClock(new Date(ahead).toUTCString());
  // The header counts whole seconds: half of one is added.
  expect(serverNow()).toBe(ahead + 500);

  syncServerClock(null);
  expect(serverNow()).toBe(ahead + 500);

  syncServerClock(new Date(now - 900).toUTCString());
  expect(serverNow()).toBe(now);
});
