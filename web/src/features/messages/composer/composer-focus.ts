let requested: number | undefined;

/**
 * Focuses the composer of a ticket when it is mounted: after accept and reopen, the user types a reply next. Without the
 * focus those letters would be keyboard shortcuts that resolve or transfer the ticket.
 */
export function requestComposerFocus(ticketId: number): void {
  requested = ticketId;
}

/** Was the focus requested for this ticket's composer? A request is answered once. */
export function consumeFocusRequest(ticketId: number): boolean {
  const isRequested = requested === ticketId;
  requested = isRequested ? undefined : requested;
  return isRequested;
}
