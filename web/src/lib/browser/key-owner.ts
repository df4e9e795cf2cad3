/** Who gets a key: a letter is text almost everywhere, and a command only where nothing can be written by mistake. */

/**
 * Spread on the root of an area whose single letters are commands (`list`), or mean nothing to a conversation (`board`), or
 * to anything outside of the area (`own`: it is no part of the screen, like a popup).
 */
export const keyArea = {
  list: { "data-keys": "list" },
  board: { "data-keys": "board" },
  own: { "data-keys": "own" },
} as const;

/**
 * - `field`: a text field has the focus
 * - `popup`: a dialog, a menu, a popover or an area of its own has it, or a popup lies over the page
 * - `list`, `board`: an area of `keyArea` has it
 * - `composer`: anything else, while a conversation is open that can be written in
 * - `page`: anything else
 */
export type KeyOwner = "field" | "popup" | "list" | "board" | "composer" | "page";

const popups = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

const openPopups = "[role=dialog], [role=alertdialog], [role=menu]";

declare global {
  interface DocumentEventMap {
    /** A popup has closed; what had the focus before it opened gets it next, unless something else has it. */
    "popup-closed": CustomEvent<EventTarget | null>;
  }
}

interface ComposerField {
  readonly current: HTMLElement | null;
}

/** Composers on the screen: letters typed outside of any field go there. */
const composers = new Set<ComposerField>();

/** Registers a composer while it is mounted; returns what removes it. */
export function registerComposer(field: ComposerField): () => void {
  composers.add(field);
  return () => void composers.delete(field);
}

/** Is somebody writing to a contact, or about to? */
export function isComposerFocused(): boolean {
  return [...composers].some(({ current }) => current !== null && current === document.activeElement);
}

/** Who gets a key that is pressed on this element. */
export function keyOwner(target: EventTarget | null): KeyOwner {
  const element = target instanceof Element ? target : null;
  if (element && isTextField(element)) {
    return "field";
  }
  const area = element?.closest<HTMLElement>(`[data-keys], ${popups}`);
  const place = area?.dataset.keys;
  const isOfPage = place === "list" || place === "board";
  // A dialog whose focused element has just gone leaves the focus on the page below it.
  if ((area && !isOfPage) || isPopupOpen()) {
    return "popup";
  }
  if (isOfPage) {
    return place;
  }
  return composers.size > 0 ? "composer" : "page";
}

function isTextField(element: Element): boolean {
  return (
    (element instanceof HTMLElement && element.isContentEditable) ||
    element.closest("input:not([type=checkbox], [type=radio], [type=range]), textarea, select") !== null
  );
}

/** Does a dialog, a menu or a popover lie over the page? The next Escape closes it, wherever the focus is. */
export function isPopupOpen(): boolean {
  return document.querySelector(openPopups) !== null;
}

/** Is it inside of a dialog, a menu, a popover or an area of its own? */
export function isInPopup(element: Element): boolean {
  return element.closest(`[data-keys=own], ${popups}`) !== null;
}

/** Does this key write something: a letter, a dead key, or the start of an IME composition? Space presses buttons and scrolls. */
export function isWriting(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "getModifierState">,
): boolean {
  // AltGr writes too (@, €), and Windows reports it as Ctrl and Alt
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  const isText = [...event.key].length === 1 && event.key !== " ";
  return !isCommand && (isText || event.key === "Dead" || event.key === "Process");
}

/**
 * Focuses the area itself, for a moment that a person chose with the keyboard: Escape in the composer of a conversation that
 * has no row in the list. Without a tabindex of its own, a click on the area's empty space never does that.
 */
export function focusKeyArea(): void {
  const area = document.querySelector<HTMLElement>("[data-keys=list], [data-keys=board]");
  if (!area) {
    (document.activeElement as HTMLElement | null)?.blur();
    return;
  }
  area.tabIndex = -1;
  area.addEventListener("blur", () => area.removeAttribute("tabindex"), { once: true });
  area.focus({ preventScroll: true });
}

/** Does the list as a whole have the focus, none of its rows and buttons? */
export function isListFocused(): boolean {
  const focused = document.activeElement;
  return focused instanceof HTMLElement && focused.dataset.keys === "list";
}
