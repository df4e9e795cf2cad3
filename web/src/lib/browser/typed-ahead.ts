/**
 * Keys typed after a command and before what it opens has the focus, as while its code is fetched: they are held back, so that
 * none of them is a command of the list or a letter of the composer below, and written into the field when it has the focus.
 */
import { useLayoutEffect } from "react";
import { isWriting, keyOwner, popups } from "./key-owner.ts";

/** So long after its code has arrived a popup may still be looking for its field, in ms. */
const FOCUS_MS = 1_000;

let openings = 0;
let held = "";
let timer: ReturnType<typeof setTimeout> | undefined;

/** Mounted while the code of a popup is on its way. */
export function HeldKeys(): null {
  useLayoutEffect(() => {
    openings += 1;
    clearTimeout(timer);
    window.addEventListener("keydown", hold, true);
    document.addEventListener("focusin", give);
    document.addEventListener("pointerdown", stop);
    return () => {
      openings -= 1;
      timer = setTimeout(stop, FOCUS_MS);
    };
  }, []);
  return null;
}

function stop(): void {
  clearTimeout(timer);
  held = "";
  window.removeEventListener("keydown", hold, true);
  document.removeEventListener("focusin", give);
  document.removeEventListener("pointerdown", stop);
}

function hold(event: KeyboardEvent): void {
  const { key } = event;
  if (key === "Escape" || key === "Tab") {
    stop();
  } else if (isWriting(event) || /^( |Enter|Backspace|Arrow.*)$/.test(key)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    // Enter and arrows are dropped: nobody has seen yet what they would choose
    held = key === "Backspace" ? held.slice(0, -1) : held + ([...key].length === 1 ? key : "");
  }
}

function give({ target }: FocusEvent): void {
  const isInside = (target as Element).closest(popups) !== null;
  const text = isInside && keyOwner(target) === "field" ? held : "";
  // a panel whose content is still on its way may have the focus itself
  if (text !== "" || openings === 0) {
    stop();
  }
  if (text !== "") {
    document.execCommand("insertText", false, text);
  }
}
