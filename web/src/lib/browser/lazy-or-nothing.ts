import { lazy, type ComponentType } from "react";

/** So long until what could not be fetched is tried again, in ms; sooner where the browser notices that the network is back. */
const AGAIN_MS = 60_000;

/**
 * A component whose code is fetched when it is first rendered, and without which the rest stands: where that fails, the fallback of
 * its Suspense stays until a later try succeeds.
 */
export function lazyOrNothing(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await untilFetched(load) }));
}

async function untilFetched<T>(load: () => Promise<T>): Promise<T> {
  return load().catch(async () => {
    await networkOrTime();
    return untilFetched(load);
  });
}

function networkOrTime(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, AGAIN_MS);
    window.addEventListener("online", end);
  });
}
