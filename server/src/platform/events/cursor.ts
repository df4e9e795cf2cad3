/**
 * A position in the event stream: the epoch of the database, and the visible transactions (`snapshot`, the text of a
 * pg_snapshot). Browsers keep it as text.
 */
export interface Cursor {
  readonly epoch: string;
  readonly snapshot: string;
}

const SHAPE = /^([\w.]+)~(\d+:\d+:[\d,]*)$/;

export function formatCursor({ epoch, snapshot }: Cursor): string {
  return `${epoch}~${snapshot}`;
}

/** Undefined for an invalid cursor; cursors come from browsers. */
export function parseCursor(text: string): Cursor | undefined {
  const [, epoch, snapshot] = SHAPE.exec(text) ?? [];
  return epoch && snapshot && xmin(snapshot) <= xmax(snapshot) ? { epoch, snapshot } : undefined;
}

/** Every transaction below it had ended. */
export function xmin(snapshot: string): bigint {
  return BigInt(snapshot.split(":")[0] ?? 0);
}

/** No transaction from it on had begun. */
export function xmax(snapshot: string): bigint {
  return BigInt(snapshot.split(":")[1] ?? 0);
}
