import type { Db } from "../db/index.ts";
import { formatCursor, parseCursor, xmax, xmin } from "./cursor.ts";
import type { Cursor } from "./cursor.ts";
import { readAfter, readPosition } from "./event-log.ts";
import type { LogPosition, RecordedEvent } from "./event-log.ts";

/** Beyond this a refetch is faster than a replay. */
const MAX_EVENTS = 1_000;
/** Maximum of transactions since the cursor. Beyond it, finding the events of one company costs more than a refetch. */
const MAX_TRANSACTIONS = 200_000n;

export type Missed =
  | { readonly kind: "events"; readonly events: readonly RecordedEvent[]; readonly cursor: string }
  | { readonly kind: "refetch"; readonly cursor: string };

/** Events since a cursor, or "refetch" with the cursor to go on from. */
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

/** Whether all events after the cursor are still in the log, of the same epoch and not too many. */
export function canReplay(after: Cursor, here: LogPosition): boolean {
  const isSameEpoch = after.epoch === here.epoch && xmax(after.snapshot) <= xmax(here.snapshot);
  const isComplete = xmin(after.snapshot) > BigInt(here.prunedThrough);
  return isSameEpoch && isComplete && xmax(here.snapshot) - xmin(after.snapshot) <= MAX_TRANSACTIONS;
}
