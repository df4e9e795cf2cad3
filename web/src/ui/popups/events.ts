import type { FocusEvent as FocusEventOf, KeyboardEvent, SyntheticEvent } from "react";
import { goBack } from "../useBack.ts";

const stop = (event: SyntheticEvent) => event.stopPropagation();

/**
 * A portal's events go up the React tree: a click in a menu must not open the row that its button is in, a press must not drag
 * the card, and a letter is no shortcut of the page. Ctrl and Cmd combinations pass.
 */
export const ownEvents = {
  onClick: stop,
  onPointerDown: stop,
  // a form in a dialog over a form
  onSubmit: stop,
  onKeyDown: (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) {
      event.stopPropagation();
    }
  },
} as const;

/**
 * The same, and Tab at either end of a panel closes it and goes back to its button. Base UI would go to a trigger of its own,
 * and without one leaves the focus on the guard at the panel's end.
 */
export function panelEvents(anchor: HTMLElement, close: () => void) {
  return {
    ...ownEvents,
    onFocusCapture: ({ target }: FocusEventOf<HTMLElement>) => {
      if (target.hasAttribute("data-base-ui-focus-guard")) {
        anchor.focus();
        close();
      }
    },
  };
}

interface OpenChange {
  readonly reason: string;
  readonly event: Event;
  readonly cancel: () => void;
}

/**
 * `onOpenChange` of what hangs on a button of ours: closes it, but leaves a press on that button to the button, which toggles.
 * Base UI knows only triggers of its own, which would have to be in the first load.
 */
export function closeUnlessOn(anchor: HTMLElement, close: () => void) {
  return (isOpen: boolean, { reason, event, cancel }: OpenChange): void => {
    const to = reason === "focus-out" ? (event as FocusEvent).relatedTarget : event.target;
    const isOnAnchor =
      (reason === "outside-press" || reason === "focus-out") && to instanceof Node && anchor.contains(to);
    if (isOpen || isOnAnchor) {
      cancel();
    } else {
      close();
    }
  };
}

/** `onOpenChange` of what is open as long as it is rendered: whoever renders it decides, perhaps after a question. */
export function closeInstead(close: () => void) {
  return (isOpen: boolean, { reason, cancel }: OpenChange): void => {
    cancel();
    if (reason === "close-watcher") {
      // The drawer's own, even where something is open over it.
      goBack();
    } else if (!isOpen) {
      close();
    }
  };
}
