import { isPopupOpen } from "./key-owner.ts";

/** Did what had the focus go? The content as a whole has it then, until something in it takes it. */
export function isFocusLost(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || focused.id === "content";
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
