/**
 * Everything that pops up (menus, popovers, dialogs, tooltips: `ui/popups`, on Base UI) is one chunk outside of the first load.
 * It is fetched when the browser is idle after the first screen, and at the latest when pointer or focus reaches an opener.
 */
import { useEffect, useSyncExternalStore } from "react";
import { whenIdle } from "#web/lib/browser/idle.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { closeMissing } from "./lateComponent.tsx";

const load = () => import("./popups/index.ts");
type Popups = Awaited<ReturnType<typeof load>>;

let popups: Popups | undefined;
let fetching: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Fetches the chunk once; a fetch that failed is tried again by the next call. */
export function fetchPopups(): Promise<void> {
  fetching ??= load().then(
    (module) => {
      popups = module;
      listeners.forEach((listener) => listener());
    },
    () => {
      fetching = undefined;
    },
  );
  return fetching;
}

/**
 * The chunk, or undefined while it is fetched. Where it cannot be, `onClose` takes back the click that opened the popup, and a toast
 * says so: the page below stays. As `lateComponent`, but one chunk for all of them, which may be on its way before the click.
 */
export function usePopups(onClose: () => void): Popups | undefined {
  const arrived = useSyncExternalStore(subscribe, () => popups);
  const close = useStableCallback(onClose);
  useEffect(() => {
    let isShown = true;
    void fetchPopups().then(() => isShown && !popups && closeMissing(close));
    return () => {
      isShown = false;
    };
  }, [close]);
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
