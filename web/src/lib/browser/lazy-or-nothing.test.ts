import { createElement, Suspense } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { lazyOrNothing } from "./lazy-or-nothing.ts";

test("what could not be fetched is tried again after a minute, and as soon as the network is back (S-04, N-05)", async () => {
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

  await vi.advanceTimersByTimeAsync(59_000);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(load).toHaveBeenCalledTimes(2);

  load.mockImplementation(async () => () => "bell");
  page.dispatchEvent(new Event("online"));
  expect(await text((await drawn).prelude)).toContain("bell");
  expect(load).toHaveBeenCalledTimes(3);
});
