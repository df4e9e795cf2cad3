import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { keyOwner } from "./key-owner.ts";
import { isCommand, type Combination } from "./shortcuts.ts";

/** Searches wait this long for the next key (specification 1 section 9). */
export const DEBOUNCE_MS = 500;

/** The next page of a list is asked for this close to its end, in px (specification 1 section 9). */
export const NEAR_END_PX = 100;

/** The value after it has not changed for so many ms; with 0 at once. */
export function useDebounced<T>(value: T, ms: number = DEBOUNCE_MS): T {
  const [settled, setSettled] = useState(value);
  if (ms === 0 && settled !== value) {
    setSettled(value);
  }
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** State of a search field and its query: trimmed, in lower case, debounced; an emptied field searches for nothing at once. */
export function useSearch(start = ""): {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly asked: string;
} {
  const [text, setText] = useState(start);
  const typed = text.trim().toLowerCase();
  return { text, setText, asked: useDebounced(typed, typed === "" ? 0 : DEBOUNCE_MS) };
}

/** Does a media query match? `useMedia("(max-width: 599.95px)")`. */
export function useMedia(query: string): boolean {
  const { subscribe, matches } = mediaOf(query);
  return useSyncExternalStore(subscribe, matches);
}

/** The same question outside of a render. */
export function matchesMedia(query: string): boolean {
  return mediaOf(query).matches();
}

const knownMedia = new Map<string, ReturnType<typeof watchMedia>>();

/** One `MediaQueryList` for all components: each `matchMedia` parses the query and evaluates the styles. */
function mediaOf(query: string): ReturnType<typeof watchMedia> {
  const media = knownMedia.get(query) ?? watchMedia(query);
  knownMedia.set(query, media);
  return media;
}

function watchMedia(query: string) {
  const list = matchMedia(query.replace("@media ", ""));
  return {
    subscribe: (listener: () => void) => {
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    matches: () => list.matches,
  };
}

/**
 * Runs a handler for a shortcut such as `mod+k` or `?`. With mod it works everywhere. A single letter is a command in the
 * list of conversations, and where no conversation takes it as text; verbs of a conversation need the list (see `keyOwner`).
 */
export function useShortcut(combination: Combination, run: (event: KeyboardEvent) => void, isOn = true): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const onKey = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && matches(event, combination) && isCommand(combination, keyOwner(event.target))) {
        event.preventDefault();
        latest.current(event);
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [combination, isOn]);
}

function matches(event: KeyboardEvent, combination: string): boolean {
  const parts = combination.toLowerCase().split("+");
  const key = parts.at(-1);
  const wantsMod = parts.includes("mod");
  return event.key.toLowerCase() === key && (event.ctrlKey || event.metaKey) === wantsMod && !event.altKey;
}

/**
 * Calls `onMore` when the end marker comes within a distance (px) of the viewport. Put the ref on the last element. After a page that
 * failed it waits to be asked again: the marker is still in sight, and each failure would ask for the next.
 */
export function useInfiniteScroll(options: {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** The last page asked for did not come; the list says so and offers to try again. */
  readonly hasFailed: boolean;
  readonly onMore: () => void;
  readonly withinPx?: number;
}): (element: HTMLElement | null) => void {
  const { hasMore, isLoading, hasFailed, onMore, withinPx = NEAR_END_PX } = options;
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  useEffect(() => {
    if (!end || !hasMore || isLoading || hasFailed) {
      return undefined;
    }
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      root: scrollerOf(end),
      rootMargin: `${withinPx}px`,
    });
    observer.observe(end);
    return () => observer.disconnect();
  }, [end, hasMore, isLoading, hasFailed, withinPx]);
  return setEnd;
}

function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) {
      return parent;
    }
  }
  return null;
}
