import { sql } from "kysely";
import type { LineSignalKind } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";
import type { LineSignal } from "../line-limit.ts";

/** What the sums of a day count. */
export type LineCount = "started" | "refused" | "failed" | "disconnected";

export interface LineDay extends Readonly<Record<LineCount, number>> {
  /** YYYY-MM-DD */
  readonly day: string;
}

const ADD: Readonly<Record<LineCount, Statement<{ readonly sum: number }>>> = {
  started: { name: "line_days_add_started", text: addTo("started") },
  refused: { name: "line_days_add_refused", text: addTo("refused") },
  failed: { name: "line_days_add_failed", text: addTo("failed") },
  disconnected: { name: "line_days_add_disconnected", text: addTo("disconnected") },
};

function addTo(count: LineCount): string {
  return `insert into line_days (connection_id, day, company_id, ${count}) values ($1, $2::date, $3, $4)
    on conflict (connection_id, day) do update set ${count} = line_days.${count} + excluded.${count}
    returning ${count} as sum`;
}

const ADD_SIGNALS: Statement<never> = {
  name: "line_signals_add",
  text: `insert into line_signals (company_id, connection_id, kind, detail, at)
    select $1, $2, kind, detail, at from unnest($3::text[], $4::text[], $5::timestamptz[]) as s(kind, detail, at)
    where not exists (select from line_signals o where o.connection_id = $2 and o.kind = s.kind
      and o.detail is not distinct from s.detail and o.at > s.at - interval '1 minute' and o.at <= s.at)`,
};

/** Adds to the sum of a day. Returns the new sum. */
export async function addToDay(
  ctx: Ctx,
  connectionId: number,
  { day, count, by }: { readonly day: string; readonly count: LineCount; readonly by: number },
): Promise<number> {
  const [row] = await ctx.raw(ADD[count], [connectionId, day, ctx.companyId, by]);
  return row?.sum ?? by;
}

const ADD_STARTS: Statement<never> = {
  name: "line_days_add_starts",
  text: `insert into line_days (connection_id, day, company_id, started)
    select w.id, $2::date, $1, w.n from unnest($3::int[], $4::int[]) as w(id, n) order by w.id
    on conflict (connection_id, day) do update set started = line_days.started + excluded.started`,
};

/** Adds started conversations to the sums of several lines on one day, in the order of their ids. */
export async function addStartsToDay(ctx: Ctx, day: string, starts: ReadonlyMap<number, number>): Promise<void> {
  await ctx.raw(ADD_STARTS, [ctx.companyId, day, [...starts.keys()], [...starts.values()]]);
}

/** The same signal within a minute is stored once: a campaign that fails does not fill the list. */
export async function insertSignals(ctx: Ctx, connectionId: number, signals: readonly LineSignal[]): Promise<void> {
  if (signals.length > 0) {
    await ctx.raw(ADD_SIGNALS, [
      ctx.companyId,
      connectionId,
      signals.map(({ kind }) => kind),
      signals.map(({ detail }) => detail),
      signals.map(({ at }) => at),
    ]);
  }
}

/** The `days` days up to `last`, oldest first; one without an event has sums of 0. */
export async function findDays(
  ctx: Ctx,
  connectionId: number,
  { last, days }: { readonly last: string; readonly days: number },
): Promise<LineDay[]> {
  const { rows } = await sql<LineDay>`
    select each::date::text as day, coalesce(started, 0) as started, coalesce(refused, 0) as refused,
      coalesce(failed, 0) as failed, coalesce(disconnected, 0) as disconnected
    from generate_series(${last}::date - ${days - 1}::int, ${last}::date, '1 day') each
    left join line_days d
      on d.company_id = ${ctx.companyId} and d.connection_id = ${connectionId} and d.day = each::date
    order by each`.execute(ctx.db);
  return rows;
}

/** The newest 50, newest first. */
export async function findSignals(
  ctx: Ctx,
  connectionId: number,
): Promise<{ at: Date; kind: LineSignalKind; detail: string | null }[]> {
  const { rows } = await sql<{ at: Date; kind: LineSignalKind; detail: string | null }>`
    select at, kind, detail from line_signals
    where company_id = ${ctx.companyId} and connection_id = ${connectionId}
    order by at desc, id desc limit 50`.execute(ctx.db);
  return rows;
}

/** Signals older than 90 days, and sums older than 400: a year can be compared with the one before. */
export async function pruneLineHealth(db: Db): Promise<void> {
  await sql`delete from line_signals where at < now() - interval '90 days'`.execute(db.system);
  await sql`delete from line_days where day < current_date - 400`.execute(db.system);
}
