import { useSyncExternalStore } from "react";
import { serverNow } from "#web/lib/session/clock.ts";

const MINUTE = 60_000;

let now = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/**
 * What follows from the server's time, asked anew once a minute: one clock for all components that show how long something
 * has been going on. Renders only when the answer changes.
 */
export function useOfMinute<T extends string | number | boolean>(select: (now: number) => T): T {
  return useSyncExternalStore(subscribe, () => select(now));
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = serverNow();
    timer = setInterval(tick, MINUTE);
    // A laptop that slept, or a tab in the background, is minutes behind.
    document.addEventListener("visibilitychange", tick);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    }
  };
}

function tick(): void {
  now = serverNow();
  listeners.forEach((listener) => listener());
}
