/**
 * What is typed between choosing a conversation and the moment when its composer has the focus is text of that conversation (decision
 * 0160). It is held back, so that none of its letters is a command of the list or text of the conversation that was open until then, and
 * written into the composer when that is there.
 */
import type { Ticket } from "@prosa/contract/tickets";
import { useLayoutEffect } from "react";
import { isFocusLost } from "#web/lib/browser/content-focus.ts";
import { isComposerFocused, isWriting, keyOwner } from "#web/lib/browser/key-owner.ts";
import { isPopupOnItsWay } from "#web/lib/browser/typed-ahead.ts";

/** So long after one part of a conversation the next may be on its way, in ms. */
const GAP_MS = 300;
/** After such a pause a key is no longer part of a text whose composer has gone, in ms. */
const PAUSE_MS = 1_000;

/** A ticket by its id, or by its uuid where only its address is known yet. */
type Conversation = number | string;

let held = "";
let heldFor: Conversation | undefined;
/** A conversation was chosen that can be written in: its text is held until this time (ms), also from the list. */
let chosenUntil = 0;
/** What had the focus then. */
let chosenFrom: EventTarget | null = null;
/** Until then (ms) what is typed belongs to a text that has no composer any more. */
let lostUntil = 0;
/** Parts of a conversation on their way: text that nothing else on the page takes is held. */
let parts = 0;

/** Holds what is typed from now on for this ticket, until it is given or dropped, at the latest until this time (ms). */
export function holdText(ticketId: number, until: number): void {
  setOwner(ticketId);
  chosenUntil = until;
  chosenFrom = document.activeElement;
  listen();
}

/** Mounted while a part of the conversation with this uuid is on its way, as when it is opened by its address. */
export function HeldText({ uuid }: { readonly uuid: string }): null {
  useLayoutEffect(() => {
    if (!isChosen()) {
      setOwner(uuid);
    }
    parts += 1;
    listen();
    return () => {
      setTimeout(() => {
        parts -= 1;
        if (parts === 0 && !isChosen() && !isUntil(lostUntil)) {
          dropText();
        }
      }, GAP_MS);
    };
  }, [uuid]);
  return null;
}

/** Was something typed for this ticket? */
export function hasHeldText(ticket: Pick<Ticket, "id" | "uuid">): boolean {
  return held !== "" && isOf(ticket);
}

/** The composer of this ticket is there, and has the focus if it is to have it: it gets what was typed for it. */
export function giveText(ticket: Pick<Ticket, "id" | "uuid">): void {
  // Enter sends nothing that nobody has seen; pressed twice on a row it is no line.
  const text = isOf(ticket) ? held.replaceAll(/^\n+|\n+$/g, "") : "";
  dropText();
  if (text && isComposerFocused()) {
    document.execCommand("insertText", false, text);
  }
}

/**
 * The composer that somebody may be writing in has gone, or does not come: the rest of their text, until a pause, goes nowhere. It would be
 * commands to the conversation that is next in the list. Returns what was held.
 */
export function loseText(): string {
  const text = held;
  dropText();
  lostUntil = Date.now() + PAUSE_MS;
  listen();
  return text;
}

/** There is no composer, or a person went elsewhere. */
export function dropText(): void {
  held = "";
  heldFor = undefined;
  chosenUntil = 0;
  lostUntil = 0;
  if (parts === 0) {
    window.removeEventListener("keydown", hold, true);
    window.removeEventListener("pointerdown", dropText, true);
    document.removeEventListener("popup-closed", goOnFrom);
  }
}

function setOwner(conversation: Conversation): void {
  if (heldFor !== conversation) {
    held = "";
  }
  heldFor = conversation;
}

function isOf({ id, uuid }: Pick<Ticket, "id" | "uuid">): boolean {
  return (isChosen() || parts > 0) && (heldFor === id || heldFor === uuid);
}

function isChosen(): boolean {
  return isUntil(chosenUntil);
}

/** Not on another screen, where somebody went meanwhile. */
function isUntil(time: number): boolean {
  return Date.now() < time && /^\/(?:tickets|kanban)\b/.test(location.pathname);
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
  const isLost = isUntil(lostUntil);
  if (!(isLost ? isOfNobody(event.target) : isOfComposer(event.target))) {
    return;
  }
  if (!isLost && /^(?: |Enter)$/.test(key) && isElsewhere(event.target)) {
    dropText();
    return;
  }
  if (isWriting(event) || /^(?: |Enter|Backspace)$/.test(key)) {
    event.preventDefault();
    event.stopPropagation();
    if (isLost) {
      lostUntil = Date.now() + PAUSE_MS;
    } else {
      held = withKey(event);
    }
  } else if (/^(?:Escape|Tab|Arrow|Home|End|Page)/.test(key)) {
    dropText();
  }
}

/** Is it a button to which a person went? A row has the focus of one that has left the list. */
function isElsewhere(target: EventTarget | null): boolean {
  return !isFocusLost() && target !== chosenFrom && /^(?:page|composer)$/.test(keyOwner(target));
}

function withKey({ key, repeat }: KeyboardEvent): string {
  switch (key) {
    case "Backspace":
      return [...held].slice(0, -1).join("");
    case "Enter":
      return repeat ? held : `${held}\n`;
    default:
      return [...key].length === 1 ? held + key : held;
  }
}

function isOfNobody(target: EventTarget | null): boolean {
  return !isPopupOnItsWay() && !/^(?:field|popup)$/.test(keyOwner(target));
}

function isOfComposer(target: EventTarget | null): boolean {
  if (isChosen()) {
    return isOfNobody(target) || (isComposerFocused() && !isPopupOnItsWay());
  }
  return parts > 0 && !isPopupOnItsWay() && keyOwner(target) === "page";
}
