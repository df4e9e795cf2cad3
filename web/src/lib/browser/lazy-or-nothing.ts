import { lazy, type ComponentType, type LazyExoticComponent } from "react";

/** Pauses until what could not be fetched is tried again (ms): they double from the first to the longest. */
const AGAIN_MS = 2_000;
const AGAIN_MS_MAX = 60_000;

/**
 * A component whose code is fetched when it is first rendered, and without which the rest stands: where that fails, the fallback of
 * its Suspense stays until a later try succeeds, at the latest when the browser notices that the network is back. With `lazy` alone
 * the error would take the whole screen away, with what was typed there.
 */
export function lazyOrNothing<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await untilFetched(load, AGAIN_MS) }));
}

async function untilFetched<T>(load: () => Promise<T>, pause: number): Promise<T> {
  return load().catch(async () => {
    await networkOrTime(pause);
    return untilFetched(load, Math.min(2 * pause, AGAIN_MS_MAX));
  });
}

function networkOrTime(pause: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, pause);
    window.addEventListener("online", end);
  });
}
