import type { KeyboardEvent } from "react";

/**
 * Does Enter send what is in the field? Not with Shift, not where it chooses a word of an IME, and not while it is held down: that
 * press was meant for what had the focus before, as the row that opened the conversation. It then does nothing at all.
 */
export function isSendKey(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) {
    return false;
  }
  event.preventDefault();
  return !event.repeat;
}

/** Does Escape leave the field? Not where it drops what an IME, or a dead key, has begun. */
export function isLeaveKey(event: KeyboardEvent): boolean {
  return event.key === "Escape" && !event.nativeEvent.isComposing;
}
