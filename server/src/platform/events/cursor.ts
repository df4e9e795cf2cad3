/**
 * A place in the stream of events: which life of the database (`epoch`), and what was visible then (`snapshot`, the
 * text of a pg_snapshot). As text it is what a browser remembers.
 */
export interface Cursor {
  readonly epoch: string;
  readonly snapshot: string;
}

const SHAPE = /^([\w.]+)~(\d+:\d+:[\d,]*)$/;

export function formatCursor({ epoch, snapshot }: Cursor): string {
  return `${epoch}~${snapshot}`;
}

/** Undefined for anything that is not a cursor: it comes from a browser. */
export function parseCursor(text: string): Cursor | undefined {
  const [, epoch, snapshot] = SHAPE.exec(text) ?? [];
  return epoch && snapshot && xmin(snapshot) <= xmax(snapshot) ? { epoch, snapshot } : undefined;
}

/** Below it every transaction of that moment had ended. */
export function xmin(snapshot: string): bigint {
  return BigInt(snapshot.split(":")[0] ?? 0);
}

/** From it on no transaction of that moment had begun. */
export function xmax(snapshot: string): bigint {
  return BigInt(snapshot.split(":")[1] ?? 0);
}
