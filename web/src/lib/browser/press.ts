/**
 * Press in progress: from the pointerdown on a button to its click. The browser sends the click to what both ends of the press
 * have in common, so a button that moves meanwhile loses it. The space bar clicks when it comes up, unless an answer that came
 * meanwhile took the focus away; other keys are sent to what has the focus, wherever it is. A pointer that has just come over a
 * button of a row counts as well: who aims is about to press, and would hit the row that comes instead.
 */
import { useRef, useSyncExternalStore } from "react";

/** A press that takes longer is a drag, or its end was not reported. */
const LONGEST_PRESS_MS = 5_000;
/** The click of a touch comes in a later task than its pointerup, and that of a drag never. */
const CLICK_WITHIN_MS = 50;
const AIM_MS = 500;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** The press has ended, and the listeners do not know it yet. */
let isUntold = false;
/** The button under the pointer. */
let over: Element | null = null;

/** The value from before the press while one is in progress: for what places buttons, which may not move under it. */
export function useHeldWhilePressed<T>(value: T): T {
  // Only the end of a press renders. Its beginning need not: a render in between asks for the state itself.
  const isHeld = useSyncExternalStore(watchPresses, () => timer !== undefined);
  const shown = useRef(value);
  if (!isHeld) {
    shown.current = value;
  }
  return shown.current ?? value;
}

/** Resolves at the end of the press in progress; at once where there is none. */
export async function whenReleased(): Promise<void> {
  if (timer !== undefined) {
    await new Promise<void>((resolve) => {
      const stop = watchPresses(() => {
        stop();
        resolve();
      });
    });
  }
}

/** Watches for presses from now on, and calls back at their ends. */
export function watchPresses(listener: () => void): () => void {
  // Again and again: each is added but once.
  for (const [type, handle] of Object.entries(handlers)) {
    window.addEventListener(type, handle as EventListener, true);
  }
  // What was held moves after the click's own handlers, and before anything is painted.
  window.addEventListener("click", tell);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const handlers = {
  pointerover: ({ target }: PointerEvent) => {
    const button = (target as Element).closest("button");
    if (button !== over) {
      over = button;
      end();
      if (button?.matches("[data-ticket] :not([data-main])")) {
        holdFor(AIM_MS);
      }
    }
  },
  pointerdown: ({ button }: PointerEvent) => over && button === 0 && holdFor(LONGEST_PRESS_MS),
  pointerup: () => timer !== undefined && holdFor(CLICK_WITHIN_MS),
  pointercancel: end,
  keydown: ({ key, target }: KeyboardEvent) =>
    key === " " && (target as Element).closest("button") && holdFor(LONGEST_PRESS_MS),
  keyup: ({ key }: KeyboardEvent) => key === " " && timer !== undefined && holdFor(CLICK_WITHIN_MS),
  // What these handlers change is rendered at once, with nothing held: not once more after them.
  click: release,
};

function holdFor(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(end, ms);
}

function end(): void {
  release();
  tell();
}

function release(): void {
  if (timer !== undefined) {
    clearTimeout(timer);
    timer = undefined;
    isUntold = true;
    // where the click goes no further
    setTimeout(tell);
  }
}

function tell(): void {
  if (isUntold) {
    isUntold = false;
    listeners.forEach((listener) => listener());
  }
}
