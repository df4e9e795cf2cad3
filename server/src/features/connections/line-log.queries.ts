import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db } from "#server/platform/db/index.ts";
import type { LineLogTable } from "./lines.tables.ts";

export type LineNote = Readonly<Pick<Selectable<LineLogTable>, "event" | "detail" | "at">>;

export async function insertLineNotes(ctx: Ctx, connectionId: number, notes: readonly LineNote[]): Promise<void> {
  await ctx.db
    .insertInto("line_log")
    .values(notes.map((note) => ({ ...note, company_id: ctx.companyId, connection_id: connectionId })))
    .execute();
}

/**
 * Lets go of what is past its use: a contact asks again within days (whatsapp.md 4.7), an answer is read within
 * seconds, a log is for the trouble of this month.
 */
export async function pruneLines(db: Db): Promise<void> {
  await sql`delete from sent_payloads where created_at < now() - interval '14 days'`.execute(db.system);
  await sql`delete from line_answers where created_at < now() - interval '10 minutes'`.execute(db.system);
  await sql`delete from line_log where at < now() - interval '30 days'`.execute(db.system);
}
