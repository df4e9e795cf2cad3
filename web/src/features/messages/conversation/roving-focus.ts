/**
 * Roving focus of a conversation (ARIA: one tab stop). Arrow keys, Home and End lead from bubble to bubble, right and left to the
 * controls within one; Enter and the menu key open its menu. Tab leaves the conversation, past all that its bubbles contain.
 */
import { useEffect, useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent, type RefObject } from "react";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";

const rowSelector = "[data-row]";
const controls = "a[href], button:not([disabled]), video[controls], [role='slider']";
/** They use the arrow keys themselves. */
const ownKeys = "input, textarea, select, video, [role='slider'], [contenteditable]";

export function useRovingFocus(parts: {
  /** The choice begins anew with another one. */
  readonly visit: number;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Keys of the rows that take the focus, in order. */
  readonly keys: readonly string[];
  readonly scrollToRow: (key: string) => void;
  /** At the first loaded row. */
  readonly onBeginning: () => void;
}) {
  const { scroller, keys } = parts;
  const [chosen, setChosen] = useStateOf<string | undefined>(parts.visit, undefined);
  const active = chosen !== undefined && keys.includes(chosen) ? chosen : keys.at(-1);
  const toFocus = useRef<string>(undefined);
  const before = useRef<HTMLSpanElement>(null);
  const after = useRef<HTMLSpanElement>(null);
  const cameByTab = useTabWatch();

  const rowOf = (key: string | undefined) =>
    key === undefined
      ? null
      : (scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null);

  // a row that the virtualizer has only now drawn
  useLayoutEffect(() => {
    const row = rowOf(toFocus.current);
    if (row) {
      toFocus.current = undefined;
      row.focus({ preventScroll: true });
    }
  });

  const go = (key: string | undefined) => {
    if (key !== undefined) {
      toFocus.current = key;
      setChosen(key);
      parts.scrollToRow(key);
      rowOf(key)?.focus({ preventScroll: true });
    }
  };
  const step = (row: HTMLElement | null, by: -1 | 1) => {
    const at = keys.indexOf(row?.dataset["row"] ?? active ?? "");
    const next = keys[at + by];
    if (next === undefined && by === -1) {
      parts.onBeginning();
    }
    go(next);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || !scroller.current?.contains(target)) {
      return; // from a menu, which React counts as inside
    }
    if (key === "Tab") {
      // the browser goes on from here
      (event.shiftKey ? before : after).current?.focus({ preventScroll: true });
      return;
    }
    const row = target.closest<HTMLElement>(rowSelector);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (key === "Escape" && row && target !== row) {
      row.focus({ preventScroll: true });
      return;
    }
    if (target.matches(ownKeys)) {
      return;
    }
    const isMenuKey = key === "ContextMenu" || (key === "F10" && event.shiftKey) || (key === "Enter" && target === row);
    const act = isMenuKey
      ? () => row?.querySelector<HTMLElement>("[aria-haspopup='menu']")?.click()
      : {
          ArrowUp: () => step(row, -1),
          ArrowDown: () => step(row, 1),
          Home: () => (go(keys[0]), parts.onBeginning()),
          End: () => go(keys.at(-1)),
          ArrowRight: () => stepWithin(row, target, 1),
          ArrowLeft: () => stepWithin(row, target, -1),
        }[key];
    if (act) {
      event.preventDefault();
      act();
    }
  };

  const onFocus = (event: FocusEvent) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>(rowSelector);
    const isFromOutside = !scroller.current?.contains(event.relatedTarget);
    const entry = cameByTab.current && isFromOutside ? rowOf(active) : null;
    if (entry && entry !== event.target) {
      entry.focus({ preventScroll: true });
    } else if (row) {
      setChosen(row.dataset["row"]);
    }
  };

  // `choose`: Tab leads to this row, as after a jump
  return { active, choose: setChosen, before, after, onKeyDown, onFocus };
}

function stepWithin(row: HTMLElement | null, target: HTMLElement, by: -1 | 1): void {
  const stops = row ? [row, ...row.querySelectorAll<HTMLElement>(controls)].filter((stop) => stop.offsetParent) : [];
  stops[stops.indexOf(target) + by]?.focus({ preventScroll: true });
}

/** Did the focus move by Tab, and not by a click or by a menu that gave it back? */
function useTabWatch(): RefObject<boolean> {
  const cameByTab = useRef(false);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => (cameByTab.current = event.key === "Tab");
    const onPointer = () => (cameByTab.current = false);
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("pointerdown", onPointer, true);
    return () => {
      document.removeEventListener("keydown", onKey, true);
      document.removeEventListener("pointerdown", onPointer, true);
    };
  }, []);
  return cameByTab;
}
