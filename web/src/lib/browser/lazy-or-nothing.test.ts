import { createElement, Suspense } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { isPartGone, lazyOrNothing, watchParts } from "./lazy-or-nothing.ts";

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

test("where the server is there and the part is gone, as after a release, that is told until it has come after all (N-05)", async () => {
  const { load, drawn } = aPart();
  const told = vi.fn<(isGone: boolean) => void>();
  onTestFinished(watchParts(() => told(isPartGone())));
  let answered: number | undefined;
  vi.stubGlobal("fetch", async () => {
    if (answered === undefined) {
      throw new TypeError("Failed to fetch");
    }
    return new Response("", { status: answered });
  });

  // without a network, behind a proxy, and after the first failure with the server there nothing is told
  for (const [seconds, status, isGone] of [
    [2, undefined, false],
    [4, 502, false],
    [8, 200, false],
    [16, 200, true],
    [32, 200, true],
  ] as const) {
    answered = status;
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
    expect(isPartGone()).toBe(isGone);
  }
  expect(load).toHaveBeenCalledTimes(6);

  load.mockImplementation(async () => () => "bell");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await text((await drawn).prelude)).toContain("bell");
  expect(isPartGone()).toBe(false);
  expect(told).toHaveBeenLastCalledWith(false);
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
