import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";

/**
 * Lets go of changes whose message never came: a phone that was asked for a message again answers within days
 * (whatsapp.md 4.7).
 */
export async function pruneWaiting(db: Db, before: Date): Promise<void> {
  await sql`delete from message_changes_waiting where at < ${before}`.execute(db.system);
}

const KEEP_WAITING: Statement<never> = {
  name: "message_change_wait",
  text: `insert into message_changes_waiting (company_id, connection_id, wa_id, change, at) values ($1, $2, $3, $4, $5)`,
};

/** A change came before its message: it waits. */
export async function keepWaiting(
  ctx: Ctx,
  connectionId: number,
  waId: string,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  await ctx.raw(KEEP_WAITING, [ctx.companyId, connectionId, waId, JSON.stringify(change), ctx.now()]);
}

const TAKE_WAITING: Statement<{ waId: string; change: Readonly<Record<string, unknown>> }> = {
  name: "message_changes_take",
  text: `with taken as (
      delete from message_changes_waiting where company_id = $1 and connection_id = $2 and wa_id = any($3::text[])
      returning id, wa_id, change)
    select wa_id as "waId", change from taken order by id`,
};

/** Changes that waited for these messages, oldest first; they wait no longer. */
export async function takeWaiting(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[],
): Promise<{ readonly waId: string; readonly change: Readonly<Record<string, unknown>> }[]> {
  return ctx.raw(TAKE_WAITING, [ctx.companyId, connectionId, waIds]);
}
