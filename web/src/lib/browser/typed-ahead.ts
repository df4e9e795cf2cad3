/**
 * Keys typed after a command and before what it opens has the focus, as while its code is fetched: they are held back, so that
 * none of them is a command of the list or a letter of the composer below, and written into the field when it has the focus.
 */
import { useLayoutEffect } from "react";
import { isWriting, keyOwner } from "./key-owner.ts";

/** So long after its code has arrived a popup may still be looking for its field, in ms. */
const FOCUS_MS = 300;

let openings = 0;
let held = "";

/** Mounted while the code of a popup is on its way. */
export function HeldKeys(): null {
  useLayoutEffect(() => {
    openings += 1;
    window.addEventListener("keydown", hold, true);
    document.addEventListener("focusin", give);
    return () => {
      openings -= 1;
      setTimeout(() => openings || stop(), FOCUS_MS);
    };
  }, []);
  return null;
}

function stop(): void {
  held = "";
  window.removeEventListener("keydown", hold, true);
  document.removeEventListener("focusin", give);
}

function hold(event: KeyboardEvent): void {
  const { key } = event;
  if (key === "Escape") {
    stop();
  } else if (isWriting(event) || /^ $|Enter/.test(key)) {
    event.preventDefault();
    event.stopPropagation();
    // Enter is dropped: nobody has seen yet what it would choose
    held += key.length === 1 ? key : "";
  }
}

function give({ target }: FocusEvent): void {
  const text = held;
  // a field, or an entry of a menu, which takes no text; not the panel itself, whose content may still be on its way
  if (keyOwner(target) === "field" || (target as Element).matches("[role^=menuitem]")) {
    stop();
    if (text) {
      document.execCommand("insertText", false, text);
    }
  }
}
