/**
 * Everything that pops up (menus, popovers, dialogs, tooltips: `ui/popups`, on Base UI) is one chunk outside of the first load.
 * It is fetched when the browser is idle after the first screen, and at the latest when pointer or focus reaches an opener.
 */
import { useEffect, useSyncExternalStore } from "react";
import { whenIdle } from "#web/lib/browser/idle.ts";

const load = () => import("./popups/index.ts");
type Popups = Awaited<ReturnType<typeof load>>;

let popups: Popups | undefined;
let failure: unknown;
let fetching: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Fetches the chunk once; a fetch that failed is tried again by the next call. */
export function fetchPopups(): Promise<void> {
  fetching ??= load().then(
    (module) => {
      popups = module;
      listeners.forEach((listener) => listener());
    },
    (error: unknown) => {
      fetching = undefined;
      failure = error;
      listeners.forEach((listener) => listener());
    },
  );
  return fetching;
}

/**
 * The chunk, or undefined while it is fetched. Not `lazy`: what has arrived is rendered with the click that opens it, and what
 * arrives later is not held back by React's throttle of fallbacks (300 ms).
 */
export function usePopups(): Popups | undefined {
  const arrived = useSyncExternalStore(subscribe, () => popups);
  const failed = useSyncExternalStore(subscribe, () => failure);
  useEffect(() => {
    failure = undefined;
    void fetchPopups();
  }, []);
  if (!arrived && failed !== undefined) {
    // the error boundary offers to load the page again
    throw failed;
  }
  return arrived;
}

/** Mounted once in the app: fetches the chunk in time, and shows the tooltips of all elements. */
export function PopupHost() {
  const arrived = useSyncExternalStore(subscribe, () => popups);
  useEffect(() => {
    const fetchForOpener = ({ target }: Event) => {
      if (target instanceof Element && target.closest("[aria-haspopup]")) {
        void fetchPopups();
      }
    };
    whenIdle(() => void fetchPopups());
    document.addEventListener("pointerover", fetchForOpener);
    document.addEventListener("focusin", fetchForOpener);
    return () => {
      document.removeEventListener("pointerover", fetchForOpener);
      document.removeEventListener("focusin", fetchForOpener);
    };
  }, []);
  return arrived ? <arrived.Tooltips /> : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
