import type { RawQuery, Statement } from "../db/index.ts";
import type { Cursor } from "./cursor.ts";

/** A committed event, a row of event_log. */
export interface RecordedEvent {
  readonly id: number;
  readonly companyId: number;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

export interface LogPosition extends Cursor {
  /** The newest transaction whose events have been pruned. */
  readonly prunedThrough: string;
}

interface LogRow {
  readonly epoch: string;
  readonly snapshot: string;
  readonly id: number | null;
  readonly company_id: number;
  readonly type: string;
  readonly payload: Record<string, unknown>;
  readonly created_at: Date;
}

/**
 * Epoch of the database: the row changes with a restore, the start time with a restart, and the reset time of the
 * statistics with a crash recovery. After each of them transaction ids may be reused, so that an older snapshot would hide
 * new events.
 */
const EPOCH = `(select id from epoch) || '.' || (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint
  || '.' || (extract(epoch from pg_stat_get_bgwriter_stat_reset_time()) * 1000000)::bigint`;

const READ_POSITION: Statement<{ epoch: string; snapshot: string; pruned_through: string }> = {
  name: "event_log_position",
  text: `select ${EPOCH} as epoch, pg_current_snapshot()::text as snapshot, pruned_through::text from epoch`,
};

// Always at least one row, so that the reader gets the new snapshot and epoch even without events. Planned once a connection: a
// range of which both ends are unknown to the planner is short for it, so that the plan for any values is the one for these.
const READ_AFTER: Statement<LogRow> = {
  name: "event_log_after",
  text: `with here as materialized (select ${EPOCH} as epoch, pg_current_snapshot() as snapshot)
    select here.epoch, here.snapshot::text as snapshot, e.*
    from here left join lateral (
      select id, company_id, type, payload, created_at from event_log
      where here.epoch = $1
        and xid >= (select pg_snapshot_xmin($2::pg_snapshot)) and xid < (select pg_snapshot_xmax(here.snapshot))
        and not pg_visible_in_snapshot(xid, $2::pg_snapshot)
        and ($3::pg_snapshot is null or pg_visible_in_snapshot(xid, $3::pg_snapshot))
        and id > (select $4::bigint)
        and ($5::int is null or company_id = $5)
      order by id limit $6
    ) e on true
    order by e.id`,
};

export async function readPosition(raw: RawQuery): Promise<LogPosition> {
  const [row] = await raw(READ_POSITION, []);
  if (!row) {
    throw new Error("The epoch row is missing: was the database restored without its migrations?");
  }
  return { epoch: row.epoch, snapshot: row.snapshot, prunedThrough: row.pruned_through };
}

export interface LogPage {
  /** The cursor at the time of reading. With another epoch than requested no events were read. */
  readonly here: Cursor;
  readonly events: readonly RecordedEvent[];
}

export interface LogRange {
  readonly after: Cursor;
  /** Snapshot to stop at, so that a backlog can be read in pages. Default: what is visible now. */
  readonly until?: string;
  readonly afterId?: number;
  readonly companyId?: number;
  readonly limit: number;
}

/**
 * Events that were not visible at `after`, ordered by id. Not a list of transaction ids below some horizon: that is
 * not commit order, and waits for the oldest open transaction (docs/decisions/0010).
 */
export async function readAfter(raw: RawQuery, range: LogRange): Promise<LogPage> {
  const { after, until = null, afterId = 0, companyId = null, limit } = range;
  const rows = await raw(READ_AFTER, [after.epoch, after.snapshot, until, afterId, companyId, limit]);
  const [first] = rows;
  if (!first) {
    throw new Error("Reading the event log gave no row");
  }
  return { here: { epoch: first.epoch, snapshot: first.snapshot }, events: rows.flatMap(toEvent) };
}

function toEvent({ id, company_id, type, payload, created_at }: LogRow): RecordedEvent[] {
  return id === null ? [] : [{ id, companyId: company_id, type, payload, at: created_at }];
}
