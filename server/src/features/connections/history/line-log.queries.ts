import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db } from "#server/platform/db/index.ts";
import type { LineLogTable } from "../lines.tables.ts";

export type LineLogEntry = Readonly<Pick<Selectable<LineLogTable>, "event" | "detail" | "at">>;

export async function insertLineLogEntries(
  ctx: Ctx,
  connectionId: number,
  entries: readonly LineLogEntry[],
): Promise<void> {
  await ctx.db
    .insertInto("line_log")
    .values(entries.map((entry) => ({ ...entry, company_id: ctx.companyId, connection_id: connectionId })))
    .execute();
}

/** Newest first. */
export async function findLineLog(ctx: Ctx, connectionId: number) {
  const { rows } = await sql<{ at: Date; event: string; detail: string | null }>`
    select at, event, detail from line_log
    where company_id = ${ctx.companyId} and connection_id = ${connectionId}
    order by id desc limit 100`.execute(ctx.db);
  return rows;
}

/** Entries older than 30 days: the log is for the trouble of this month. */
export async function pruneLineLog(db: Db): Promise<void> {
  await sql`delete from line_log where at < now() - interval '30 days'`.execute(db.system);
}
