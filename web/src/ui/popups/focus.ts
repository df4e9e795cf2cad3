import { useLayoutEffect, useState } from "react";
import { focusContentIfLost, isFocusLost } from "#web/lib/browser/content-focus.ts";

/**
 * A ref for a popup: focuses what `find` names in it, or the popup, unless a field in it has the focus already. In a microtask,
 * so that the keys that follow go to the popup even on a busy machine; Base UI waits for the next frame.
 */
export function useInitialFocus(
  find: (popup: HTMLElement) => HTMLElement | null | undefined,
): (popup: HTMLElement | null) => void {
  const [focus] = useState(() => (popup: HTMLElement | null) => {
    queueMicrotask(() => {
      if (popup && !popup.contains(document.activeElement)) {
        (find(popup) ?? popup).focus({ preventScroll: true });
      }
    });
  });
  return focus;
}

/** The last element that had the focus: a press on what cannot have it, as the page behind a dialog, takes it away first. */
let last: EventTarget | null = null;
document.addEventListener("focusin", ({ target }) => {
  last = target;
});

function focused(): EventTarget | null {
  return isFocusLost() ? last : document.activeElement;
}

/** What popups that are open will give the focus back to, from the lowest on. */
const waiting: EventTarget[] = [];

/**
 * Gives the focus back to what had it before, or to the anchor, when the popup closes; not if something else took it meanwhile,
 * such as the composer. A dialog that follows on another gives it back to what the other was opened from. In place of Base UI's
 * own return, which decides before the effects of the same render, and takes the focus from what they focus.
 */
export function useReturnFocus(anchor?: HTMLElement): void {
  // At the first render: what is inside may take the focus when it is mounted.
  const [targets] = useState(() => [anchor ?? focused(), ...waiting.toReversed()]);
  useLayoutEffect(() => {
    const [before] = targets;
    if (before) {
      waiting.push(before);
    }
    return () => {
      if (before) {
        waiting.splice(waiting.lastIndexOf(before), 1);
      }
      queueMicrotask(() => {
        // first whatever has waited for this (useComposerFocus)
        document.dispatchEvent(new CustomEvent("popup-closed", { detail: before ?? null }));
        if (isFocusLost()) {
          targets.find(canFocus)?.focus({ preventScroll: true });
          // a row may leave its list a moment later, with the button that has the focus
          setTimeout(focusContentIfLost, SETTLED_MS);
        }
      });
    };
  }, [targets]);
}

function canFocus(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.isConnected;
}

/**
 * Enter that is held down was meant for what had the focus before: it must not choose the first entry of the menu that it opened,
 * nor send the form. In a text it breaks lines.
 */
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Enter" && event.repeat && !(event.target instanceof HTMLTextAreaElement)) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  true,
);

/** So long a list may take to hand the focus on from a row that left it, in ms. */
const SETTLED_MS = 150;

/** The first control of a popup. */
export function firstControl(popup: HTMLElement): HTMLElement | null {
  return popup.querySelector<HTMLElement>(
    "input:not([type=hidden]), button, a[href], textarea, select, [tabindex='0']",
  );
}

/** The props of each popup that leave its focus to the two hooks. */
export const ownFocus = { initialFocus: false, finalFocus: false } as const;
