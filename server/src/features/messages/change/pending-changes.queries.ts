import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";

/**
 * Deletes old pending changes, whose message was never received. A phone answers a request to resend a message within days
 * (whatsapp.md 4.7).
 */
export async function prunePendingChanges(db: Db, before: Date): Promise<void> {
  await sql`delete from message_changes_waiting where at < ${before}`.execute(db.system);
}

const SAVE_PENDING: Statement<never> = {
  name: "message_pending_change_save",
  text: `insert into message_changes_waiting (company_id, connection_id, wa_id, change, at) values ($1, $2, $3, $4, $5)`,
};

/** Stores a change whose message has not been received. */
export async function savePendingChange(
  ctx: Ctx,
  connectionId: number,
  waId: string,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  await ctx.raw(SAVE_PENDING, [ctx.companyId, connectionId, waId, JSON.stringify(change), ctx.now()]);
}

const CONSUME_PENDING: Statement<{ waId: string; change: Readonly<Record<string, unknown>> }> = {
  name: "message_pending_changes_consume",
  text: `with taken as (
      delete from message_changes_waiting where company_id = $1 and connection_id = $2 and wa_id = any($3::text[])
      returning id, wa_id, change)
    select wa_id as "waId", change from taken order by id`,
};

/** Deletes the pending changes of these messages and returns them, oldest first. */
export async function consumePendingChanges(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[],
): Promise<{ readonly waId: string; readonly change: Readonly<Record<string, unknown>> }[]> {
  return ctx.raw(CONSUME_PENDING, [ctx.companyId, connectionId, waIds]);
}
