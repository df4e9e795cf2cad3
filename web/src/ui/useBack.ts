/** The system's Back closes what is open on top, and asks for what is typed, before it leaves the screen (decision 0178). */
import { useLayoutEffect } from "react";
import { matchesMedia } from "#web/lib/browser/hooks.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { isGuarded, whenMayLeave } from "#web/lib/routing/router.tsx";
import { media } from "#web/ui/tokens.ts";

/** Chromium's: hears Android's Back before the history does, once. */
declare class CloseWatcher extends EventTarget {
  destroy(): void;
}

/** What each open popup does on Back, the topmost last. */
let closers: readonly (() => void)[] = [];
let watcher: CloseWatcher | undefined;
/** Has this event of the browser closed something already? A browser puts timers off until it has painted what a key did. */
let isHeard = false;

/** Lets Back call `close` while this popup is the topmost; undefined while it is closed. */
export function useBack(close: (() => void) | undefined): void {
  const isOpen = close !== undefined;
  const onBack = useStableCallback(() => close?.());
  useLayoutEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    closers = [...closers, onBack];
    watch();
    return () => {
      closers = closers.filter((other) => other !== onBack);
      watch();
    };
  }, [isOpen, onBack]);
}

/** Closes what is on top: one step, however many watchers (Base UI's drawer has its own) the browser asks at once. */
export function goBack(): void {
  if (!isHeard) {
    hear();
    closeTop();
  }
}

function closeTop(): void {
  closers.at(-1)?.();
}

function hear(): void {
  isHeard = true;
  setTimeout(() => (isHeard = false));
}

/** One watcher for all that is open: the browser groups those that no touch preceded, and would close them together. */
function watch(): void {
  if (closers.length === 0) {
    watcher?.destroy();
    watcher = undefined;
  } else if (!watcher && "CloseWatcher" in window && matchesMedia(media.coarse)) {
    watcher = new CloseWatcher();
    watcher.addEventListener("close", () => {
      watcher = undefined;
      goBack();
      // Something may be left, or a question have come instead.
      watch();
    });
  }
}

// On a tablet's keyboard Escape asks the watcher too, after the popup closed by it.
window.addEventListener("keydown", ({ key }) => key === "Escape" && hear(), { capture: true });

// Elsewhere Back is a step in the history, which the browser lets us refuse once for each touch or key. Each step is heard here alone:
// one that comes right after Escape, before anything is painted, counts too.
if ("navigation" in window) {
  window.navigation.addEventListener("navigate", (event) => {
    const { navigationType, userInitiated, cancelable, destination } = event;
    if (navigationType !== "traverse" || !userInitiated || !cancelable) {
      return;
    }
    if (destination.index < (window.navigation.currentEntry?.index ?? 0) && closers.length > 0) {
      event.preventDefault();
      closeTop();
    } else if (isGuarded()) {
      event.preventDefault();
      whenMayLeave(() => window.navigation.traverseTo(destination.key));
    }
  });
}
