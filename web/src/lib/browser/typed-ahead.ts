/**
 * Keys typed after a command and before what it opens has the focus, as while its code is fetched: they are held back, so that
 * none of them is a command of the list or a letter of the composer below, and written into the field when it has the focus.
 */
import { useLayoutEffect } from "react";
import { isInPopup, isWriting, keyOwner } from "./key-owner.ts";

/** So long after its code has arrived a popup may still be looking for its field, in ms. */
const FOCUS_MS = 300;

let openings = 0;
let isHolding = false;
let held = "";

/** Is a popup on its way, which the next keys are for? */
export function isPopupOnItsWay(): boolean {
  return isHolding;
}

/** Mounted while the code of a popup is on its way. */
export function HeldKeys(): null {
  useLayoutEffect(() => {
    openings += 1;
    isHolding = true;
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
  isHolding = false;
  window.removeEventListener("keydown", hold, true);
  document.removeEventListener("focusin", give);
}

function hold(event: KeyboardEvent): void {
  const { key } = event;
  if (key === "Escape") {
    stop();
  } else if (isWriting(event) || /^(?: |Enter|Tab)$/.test(key)) {
    event.preventDefault();
    event.stopPropagation();
    // Enter and Tab are dropped: nobody has seen yet what they would choose
    held += key.length === 1 ? key : "";
  }
}

function give({ target }: FocusEvent): void {
  const text = held;
  // A field of a popup, or an entry of a menu, which takes no text; not the panel itself, whose content may still be on its way, nor
  // the composer below: what was held would be a text to the contact.
  const element = target as Element;
  if ((keyOwner(element) === "field" && isInPopup(element)) || element.matches("[role^=menuitem]")) {
    stop();
    if (text) {
      document.execCommand("insertText", false, text);
    }
  }
}
