import { isFocusLost } from "#web/lib/browser/content-focus.ts";
import type { Ticket } from "@prosa/contract/tickets";
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from "react";
import { whenIdle } from "#web/lib/browser/idle.ts";
import { useShortcut } from "#web/lib/browser/hooks.ts";
import { isPopupOpen } from "#web/lib/browser/key-owner.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { registerFocusableList, stepFrom } from "./row-focus.ts";

/** While a key is held down, conversations are shown this long after the last step, in ms. */
const HELD_KEY_PAUSE_MS = 150;

/**
 * Roving tabindex of a ticket list: one row is in the tab order; J, K, arrows, Home and End move the focus between rows.
 * When the focused row leaves the list, the focus moves to the row that takes its place.
 */
export function useRowFocus(options: {
  readonly rows: readonly Ticket[];
  readonly activeUuid: string | undefined;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly scrollTo: (index: number) => void;
  /** The focus moved to this row by a key. */
  readonly onStep: (ticket: Ticket) => void;
}) {
  const { rows, activeUuid, scroller } = options;
  const [focusedId, setFocusedId] = useState<number>();
  const isInside = useRef(false);
  const pressedId = useRef<number>(undefined);
  const wanted = useRef<number>(undefined);
  const focusedIndex = focusedId === undefined ? -1 : rows.findIndex(({ id }) => id === focusedId);
  const activeIndex = rows.findIndex(({ uuid }) => uuid === activeUuid);
  const tabbableIndex = focusedIndex === -1 ? Math.max(activeIndex, 0) : focusedIndex;

  const focusWanted = () => {
    const element = scroller.current?.querySelector<HTMLElement>(`[data-ticket="${wanted.current}"] [data-main]`);
    if (wanted.current !== undefined && element) {
      wanted.current = undefined;
      element.focus({ preventScroll: true });
    }
  };
  const focusRow = (index: number) => {
    const row = rows[index];
    if (row) {
      wanted.current = row.id;
      setFocusedId(row.id);
      options.scrollTo(index);
      focusWanted();
    }
  };
  // A row outside the visible part is in the DOM only after the render that makes it tabbable. One that left the list before, or
  // whose place a palette has taken, is wanted no more: it would take the focus whenever it comes again.
  useLayoutEffect(() => {
    if (wanted.current !== undefined && (isPopupOpen() || rows.every(({ id }) => id !== wanted.current))) {
      wanted.current = undefined;
    }
    focusWanted();
  });

  const stepTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(stepTimer.current), []);
  const stepTo = (index: number, isHeld: boolean) => {
    const row = rows[index];
    clearTimeout(stepTimer.current);
    if (row) {
      focusRow(index);
      stepTimer.current = isHeld ? setTimeout(() => options.onStep(row), HELD_KEY_PAUSE_MS) : undefined;
      if (!isHeld) {
        options.onStep(row);
      }
    }
  };
  const currentIndex = () => {
    const focused = isInside.current && document.activeElement ? ticketIdOf(document.activeElement) : undefined;
    const index = focused === undefined ? -1 : rows.findIndex(({ id }) => id === focused);
    return index === -1 ? activeIndex : index;
  };
  const stepBy = (by: number, { repeat }: { readonly repeat: boolean }) =>
    stepTo(stepFrom(currentIndex(), by, rows.length), repeat);
  useShortcut(shortcuts.next, (event) => stepBy(1, event));
  useShortcut(shortcuts.previous, (event) => stepBy(-1, event));

  useFocusAfterLeaving({ rows, focusedId, focusedIndex, activeUuid, activeIndex, isInside, focusRow });
  const focusActive = useStableCallback(() => {
    focusRow(activeIndex === -1 ? tabbableIndex : activeIndex);
    return rows.length > 0;
  });
  useEffect(() => registerFocusableList({ focusActive }), [focusActive]);
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      const isOnRow = scroller.current?.contains(target as Node) === true;
      pressedId.current = isOnRow ? ticketIdOf(target as Element) : undefined;
      if (!isOnRow) {
        isInside.current = false;
        setFocusedId(undefined);
      }
    };
    document.addEventListener("pointerdown", onPointerDown, true);
    return () => document.removeEventListener("pointerdown", onPointerDown, true);
  }, [scroller]);

  return {
    tabbableIndex,
    handlers: {
      onFocus: ({ target }: FocusEvent) => {
        isInside.current = true;
        const id = ticketIdOf(target);
        if (id !== undefined && id === pressedId.current) {
          // The click is about to open it, and the focus to leave for the composer: the list need not render for that.
          whenIdle(() => pressedId.current === id && isInside.current && setFocusedId(id));
        } else {
          setFocusedId(id);
        }
      },
      onBlur: ({ relatedTarget }: FocusEvent) => {
        // Null: the window lost the focus, or the row left the list; useFocusAfterLeaving tells them apart.
        if (relatedTarget !== null && !scroller.current?.contains(relatedTarget)) {
          isInside.current = false;
          pressedId.current = undefined;
          setFocusedId(undefined);
        }
      },
      onKeyDown: (event: KeyboardEvent) => {
        const index = targetOf(event.key, currentIndex(), rows.length);
        if (index !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
          event.preventDefault();
          stepTo(index, event.repeat);
        }
      },
    },
  };
}

function targetOf(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return stepFrom(at, 1, count);
    case "ArrowUp":
      return stepFrom(at, -1, count);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}

/** The row that takes the place of one that was resolved, accepted or transferred gets the focus that would fall on the body. */
function useFocusAfterLeaving(list: {
  readonly rows: readonly Ticket[];
  readonly focusedId: number | undefined;
  readonly focusedIndex: number;
  readonly activeUuid: string | undefined;
  readonly activeIndex: number;
  readonly isInside: RefObject<boolean>;
  readonly focusRow: (index: number) => void;
}): void {
  const { rows, focusedId, focusedIndex, activeUuid, activeIndex, isInside } = list;
  const lastFocused = useRef(-1);
  const lastActive = useRef<{ readonly uuid: string; readonly index: number }>(undefined);
  const focusRow = useStableCallback((index: number) => {
    if (isFocusLost()) {
      list.focusRow(Math.min(index, rows.length - 1));
    }
  });

  const focusPlaceOf = useStableCallback((left: { readonly uuid: string; readonly index: number }) => {
    const still = rows.findIndex(({ uuid }) => uuid === left.uuid);
    focusRow(still === -1 ? left.index : still);
  });

  useLayoutEffect(() => {
    if (focusedIndex !== -1) {
      lastFocused.current = focusedIndex;
    } else if (focusedId !== undefined && isInside.current && lastFocused.current !== -1) {
      focusRow(lastFocused.current);
    }
  }, [rows, focusedId, focusedIndex, isInside, focusRow]);

  useEffect(() => {
    if (activeUuid !== undefined) {
      const known = lastActive.current?.uuid === activeUuid ? lastActive.current.index : -1;
      lastActive.current = { uuid: activeUuid, index: activeIndex === -1 ? known : activeIndex };
      return undefined;
    }
    const left = lastActive.current;
    lastActive.current = undefined;
    if (!left || left.index === -1) {
      return undefined;
    }
    // A dialog that closes with the conversation gives the focus back first.
    const frame = requestAnimationFrame(() => focusPlaceOf(left));
    return () => cancelAnimationFrame(frame);
  }, [activeUuid, activeIndex, focusPlaceOf]);
}

function ticketIdOf(element: Element): number | undefined {
  const row = element.closest<HTMLElement>("[data-ticket]");
  return row ? Number(row.dataset.ticket) : undefined;
}
