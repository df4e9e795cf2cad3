let next: number | undefined;

/** Whoever takes a conversation on writes in it next. Without the focus there, the letters of an answer are keys that move it. */
export function writeNextIn(ticketId: number): void {
  next = ticketId;
}

/** Asked by the composer that comes: does it take the focus? Once. */
export function isNextToWrite(ticketId: number): boolean {
  const isIt = next === ticketId;
  next = isIt ? undefined : next;
  return isIt;
}
