import type { Db } from "../db/index.ts";
import { formatCursor, parseCursor, xmax, xmin } from "./cursor.ts";
import type { Cursor } from "./cursor.ts";
import { readAfter, readPosition } from "./event-log.ts";
import type { LogPosition, RecordedEvent } from "./event-log.ts";

/** More than this is quicker fetched anew than replayed. */
const MAX_EVENTS = 1_000;
/** Transactions since the cursor. Further back, looking for the few events of one company costs more than it gives. */
const MAX_TRANSACTIONS = 200_000n;

export type Missed =
  | { readonly kind: "events"; readonly events: readonly RecordedEvent[]; readonly cursor: string }
  | { readonly kind: "refetch"; readonly cursor: string };

/** What a browser missed since its cursor, or "refetch": fetch anew, then go on from the cursor that comes with it. */
export async function eventsSince(
  db: Db,
  cursor: string,
  { companyId, limit = MAX_EVENTS }: { readonly companyId?: number; readonly limit?: number } = {},
): Promise<Missed> {
  const here = await readPosition(db.systemRaw);
  const after = parseCursor(cursor);
  const refetch: Missed = { kind: "refetch", cursor: formatCursor(here) };
  if (!after || !canReplay(after, here)) {
    return refetch;
  }
  const range = { after, until: here.snapshot, limit: limit + 1 };
  const { events } = await readAfter(db.systemRaw, companyId === undefined ? range : { ...range, companyId });
  return events.length > limit ? refetch : { kind: "events", events, cursor: refetch.cursor };
}

/** Whether all that came after the cursor is still here, in the same life of the database, and not too much. */
export function canReplay(after: Cursor, here: LogPosition): boolean {
  const isSameLife = after.epoch === here.epoch && xmax(after.snapshot) <= xmax(here.snapshot);
  const isComplete = xmin(after.snapshot) > BigInt(here.prunedThrough);
  return isSameLife && isComplete && xmax(here.snapshot) - xmin(after.snapshot) <= MAX_TRANSACTIONS;
}
