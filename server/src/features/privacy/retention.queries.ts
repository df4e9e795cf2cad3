import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db } from "#server/platform/db/index.ts";

export async function findCompanies(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from companies where deleted_at is null order by id`.execute(
    db.system,
  );
  return rows.map(({ id }) => id);
}

/** Counts deleted messages until they are written in the audit log. */
export async function noteDeleted(ctx: Ctx, messages: number): Promise<void> {
  if (messages > 0) {
    await sql`insert into retention_runs (company_id, messages) values (${ctx.companyId}, ${messages})
      on conflict (company_id) do update set messages = retention_runs.messages + excluded.messages`.execute(ctx.db);
  }
}

/** Takes what was counted. */
export async function takeDeleted(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ messages: number }>`
    delete from retention_runs where company_id = ${ctx.companyId} returning messages`.execute(ctx.db);
  return rows[0]?.messages ?? 0;
}
