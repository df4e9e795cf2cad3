import { isPopupOpen } from "./key-owner.ts";

/** The content as a whole has the focus where what had it has gone, until something in it takes it. */
export function isContent(element: Element | null): boolean {
  return element?.id === "content";
}

/** Did what had the focus go? */
export function isFocusLost(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || isContent(focused);
}

/**
 * Gives the content the focus, if what had it has gone: Tab goes on from there, and not from the top of the window. What lies below
 * a popup that is open is not for the focus.
 */
export function focusContentIfLost(): void {
  if (isFocusLost() && !isPopupOpen()) {
    document.getElementById("content")?.focus({ preventScroll: true });
  }
}

/** So long a new screen may take to give the focus to a field of its own, in ms. */
const SETTLED_MS = 300;

/** The same for a new screen, unless a field in it takes the focus; an effect, which returns what calls it off. */
export function focusContentOnceSettled(): () => void {
  const timer = setTimeout(focusContentIfLost, SETTLED_MS);
  return () => clearTimeout(timer);
}
