import { sql } from "kysely";
import type { Db } from "../db/index.ts";

const KEEP_HOURS = 24;
const BATCH = 5_000;

/**
 * Deletes events older than `keepHours`, oldest first, in small transactions, and stores how far: older cursors get
 * "refetch". Returns how many were deleted. Run it each minute.
 */
export async function pruneEvents(db: Db, { keepHours = KEEP_HOURS } = {}): Promise<number> {
  let total = 0;
  for (;;) {
    const pruned = await pruneBatch(db, keepHours);
    total += pruned;
    if (pruned < BATCH) {
      return total;
    }
  }
}

async function pruneBatch(db: Db, keepHours: number): Promise<number> {
  // The key begins with the transaction id, which is nearly in order of time, so created_at needs no index.
  const { rows } = await sql<{ pruned: number }>`
    with oldest as (select xid, id, created_at from event_log order by xid, id limit ${BATCH}),
    gone as (
      delete from event_log e using oldest o
      where e.xid = o.xid and e.id = o.id and o.created_at < now() - make_interval(hours => ${keepHours})
      returning e.xid
    ),
    mark as (
      update epoch set pruned_through = greatest(pruned_through, (select max(xid) from gone))
      where exists (select from gone)
    )
    select count(*) as pruned from gone`.execute(db.system);
  return rows[0]?.pruned ?? 0;
}
