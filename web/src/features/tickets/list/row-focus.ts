/** How other parts of the desk give the keyboard focus to the ticket list, without knowing its rows. */

interface FocusableList {
  /** False while it has no row. */
  readonly focusActive: () => boolean;
}

let shown: FocusableList | undefined;

/** The list that is on the screen; returns the function that takes it back. */
export function registerFocusableList(list: FocusableList): () => void {
  shown = list;
  return () => {
    shown = shown === list ? undefined : shown;
  };
}

/**
 * Focuses the row of the open conversation, or where it is in no row the one that Tab reaches: Escape in the composer leads
 * back here. False where no list is on the screen, or it is empty.
 */
export function focusActiveRow(): boolean {
  return shown?.focusActive() ?? false;
}

/** Focuses the row of this ticket, if it is on the screen. */
export function focusRow(ticketId: number): void {
  document.querySelector<HTMLElement>(`[data-ticket="${ticketId}"] [data-main]`)?.focus({ preventScroll: true });
}

/** Which row comes next? Without a current one the first; at the ends it stays. */
export function stepFrom(at: number, by: number, count: number): number {
  return at === -1 ? 0 : Math.min(Math.max(at + by, 0), count - 1);
}
