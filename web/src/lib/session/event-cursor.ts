let cursor: string | undefined;

/** Learns the position in the event stream from the header of an answer about the session; null where it has none. */
export function noteEventCursor(header: string | null): void {
  cursor = header ?? cursor;
}

/** The position at the last sign-in, refresh or look at the session: whatever was fetched after that is at least as new. */
export function sessionCursor(): string | undefined {
  return cursor;
}
