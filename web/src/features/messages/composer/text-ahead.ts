/**
 * What is typed between choosing a conversation and the moment when its composer has the focus is text of that conversation (decision
 * 0160). It is held back, so that none of its letters is a command of the list or text of the conversation that was open until then, and
 * written into the composer when that is there.
 */
import { useLayoutEffect } from "react";
import { isFocusLost } from "#web/lib/browser/content-focus.ts";
import { isComposerFocused, isWriting, keyOwner } from "#web/lib/browser/key-owner.ts";
import { isPopupOnItsWay } from "#web/lib/browser/typed-ahead.ts";

/** So long after one part of a conversation the next may be on its way, in ms. */
const GAP_MS = 300;

let held = "";
/** A conversation was chosen that can be written in: its text is held until this time (ms), also from the list. */
let chosenUntil = 0;
/** What had the focus then. */
let chosenFrom: EventTarget | null = null;
/** Parts of a conversation on their way: text that nothing else on the page takes is held. */
let parts = 0;

/** Holds what is typed from now on, until it is given or dropped, at the latest until this time (ms). */
export function holdText(until: number): void {
  chosenUntil = until;
  chosenFrom = document.activeElement;
  listen();
}

/** Mounted while a part of a conversation is on its way, as when it is opened by its address. */
export function HeldText(): null {
  useLayoutEffect(() => {
    parts += 1;
    listen();
    return () => {
      setTimeout(() => {
        parts -= 1;
        if (parts === 0 && Date.now() >= chosenUntil) {
          dropText();
        }
      }, GAP_MS);
    };
  }, []);
  return null;
}

export function hasHeldText(): boolean {
  return held !== "";
}

/** The composer has the focus: it gets what was typed. */
export function giveText(): void {
  // Enter sends nothing that nobody has seen; pressed twice on a row it is no line.
  const text = held.replaceAll(/^\n+|\n+$/g, "");
  dropText();
  if (text && isComposerFocused()) {
    document.execCommand("insertText", false, text);
  }
}

/** There is no composer, or a person went elsewhere. */
export function dropText(): void {
  held = "";
  chosenUntil = 0;
  if (parts === 0) {
    window.removeEventListener("keydown", hold, true);
    window.removeEventListener("pointerdown", dropText, true);
    document.removeEventListener("popup-closed", goOnFrom);
  }
}

function listen(): void {
  window.addEventListener("keydown", hold, true);
  window.addEventListener("pointerdown", dropText, true);
  document.addEventListener("popup-closed", goOnFrom);
}

/** The palette, in which a conversation was chosen, gives the focus back. */
function goOnFrom({ detail }: CustomEvent<EventTarget | null>): void {
  chosenFrom = detail;
}

function hold(event: KeyboardEvent): void {
  const { key } = event;
  if (!isOfComposer(event.target)) {
    return;
  }
  if (/^(?: |Enter)$/.test(key) && !isFocusLost() && !isComposerFocused() && event.target !== chosenFrom) {
    dropText(); // a press of another button
    return;
  }
  if (key === "Backspace") {
    held = [...held].slice(0, -1).join("");
  } else if (key === "Enter") {
    held += event.repeat ? "" : "\n";
  } else if (isWriting(event) || key === " ") {
    held += [...key].length === 1 ? key : "";
  } else {
    if (/^(?:Escape|Tab|Arrow)/.test(key)) {
      dropText();
    }
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function isOfComposer(target: EventTarget | null): boolean {
  const owner = keyOwner(target);
  if (isPopupOnItsWay() || owner === "popup") {
    return false;
  }
  if (Date.now() < chosenUntil) {
    return owner !== "field" || isComposerFocused();
  }
  return parts > 0 && owner === "page";
}
