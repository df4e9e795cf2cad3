import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";

export async function insertRpcResult(ctx: Ctx, id: string, answer: object): Promise<void> {
  await ctx.db
    .insertInto("line_answers")
    .values({ id, company_id: ctx.companyId, answer: JSON.stringify(answer) })
    .execute();
}

export async function findRpcResult(db: Db, companyId: number, id: string): Promise<unknown> {
  const [row] = await db.readOne(companyId, FIND, [id]);
  return row?.answer;
}

/** Results older than ten minutes: a caller reads them within seconds. */
export async function pruneRpcResults(db: Db): Promise<void> {
  await sql`delete from line_answers where created_at < now() - interval '10 minutes'`.execute(db.system);
}

const FIND: Statement<{ answer: unknown }> = {
  name: "line_answers_find",
  text: "select answer from line_answers where id = $1",
};
