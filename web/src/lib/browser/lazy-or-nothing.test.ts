import { createElement, Suspense } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { lazyOrNothing } from "./lazy-or-nothing.ts";

test("what could not be fetched is tried again ever more rarely, and as soon as the network is back (S-04, N-05)", async () => {
  const { page, load, drawn } = aPart();

  // after 2, 4, 8, 16, 32, 60, 60 … seconds
  for (const [pause, calls] of [2, 4, 8, 16, 32, 60, 60].map(
    (seconds, index) => [seconds * 1_000, index + 1] as const,
  )) {
    await vi.advanceTimersByTimeAsync(pause - 1);
    expect(load).toHaveBeenCalledTimes(calls);
    await vi.advanceTimersByTimeAsync(1);
    expect(load).toHaveBeenCalledTimes(calls + 1);
  }

  load.mockImplementation(async () => () => "bell");
  page.dispatchEvent(new Event("online"));
  expect(await text((await drawn).prelude)).toContain("bell");
  expect(load).toHaveBeenCalledTimes(9);
});

/** A page with a part whose code does not arrive. */
function aPart() {
  const page = new EventTarget();
  vi.stubGlobal("window", page);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const load = vi.fn<() => Promise<() => string>>(async () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  const Bell = lazyOrNothing(load);
  const drawn = prerenderToNodeStream(createElement(Suspense, { fallback: "…" }, createElement(Bell)));
  return { page, load, drawn };
}
