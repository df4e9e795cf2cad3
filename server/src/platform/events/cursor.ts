/**
 * A position in the event stream: the epoch of the database, and the visible transactions (`snapshot`, the text of a
 * pg_snapshot). Browsers keep it as text.
 */
export interface Cursor {
  readonly epoch: string;
  readonly snapshot: string;
}

/** As PostgreSQL writes a pg_snapshot: one position has one text. */
const SHAPE = /^([\w.]+)~([1-9]\d{0,17}:[1-9]\d{0,17}:(?:[1-9]\d{0,17}(?:,[1-9]\d{0,17})*)?)$/;

export function formatCursor({ epoch, snapshot }: Cursor): string {
  return `${epoch}~${snapshot}`;
}

/** Undefined for an invalid cursor; cursors come from browsers. */
export function parseCursor(text: string): Cursor | undefined {
  const [, epoch, snapshot] = SHAPE.exec(text) ?? [];
  return epoch && snapshot && isOrdered(snapshot) ? { epoch, snapshot } : undefined;
}

/** Are the transactions that had not ended ascending, and between the two ends? PostgreSQL refuses anything else. */
function isOrdered(snapshot: string): boolean {
  const running = (snapshot.split(":")[2] ?? "").split(",").filter(Boolean).map(BigInt);
  const steps = [xmin(snapshot), ...running];
  const isAscending = running.every((id, at) => (at === 0 ? id >= steps[at]! : id > steps[at]!) && id < xmax(snapshot));
  return xmin(snapshot) <= xmax(snapshot) && isAscending;
}

/** Every transaction below it had ended. */
export function xmin(snapshot: string): bigint {
  return BigInt(snapshot.split(":")[0] ?? 0);
}

/** No transaction from it on had begun. */
export function xmax(snapshot: string): bigint {
  return BigInt(snapshot.split(":")[1] ?? 0);
}
