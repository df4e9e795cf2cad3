import { goneCheck } from "#web/lib/realtime/fetchCode.ts";
import { lazy, type ComponentType, type LazyExoticComponent } from "react";

/** Pauses until what could not be fetched is tried again (ms): they double from the first to the longest. */
const AGAIN_MS = 2_000;
const AGAIN_MS_MAX = 60_000;

/** What is waited for although the server is there, by what loads it. */
const gone = new Set<object>();
const listeners = new Set<() => void>();

/** Whether a part of the page is gone from the server, as after a release: only a reload brings it. */
export function isPartGone(): boolean {
  return gone.size > 0;
}

/** Calls back on each change of `isPartGone`; returns the function that stops it. */
export function watchParts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * A component whose code is fetched when it is first rendered, and without which the rest stands: where that fails, the fallback of
 * its Suspense stays until a later try succeeds, at the latest when the browser notices that the network is back. With `lazy` alone
 * the error would take the whole screen away, with what was typed there. What is gone from the server makes `isPartGone` true meanwhile.
 */
export function lazyOrNothing<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await untilFetched(load) }));
}

async function untilFetched<T>(load: () => Promise<T>): Promise<T> {
  const checkGone = goneCheck();
  let isHere = false;
  const tell = (isGone: boolean) => {
    gone.delete(load);
    if (isGone && !isHere) {
      gone.add(load);
    }
    listeners.forEach((listener) => listener());
  };
  for (let pause = AGAIN_MS; ; pause = Math.min(2 * pause, AGAIN_MS_MAX)) {
    try {
      const part = await load();
      isHere = true;
      tell(false);
      return part;
    } catch {
      // not awaited: where the network hangs, its return is noticed before the server is asked in vain
      void checkGone().then(tell);
      await networkOrTime(pause);
    }
  }
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
