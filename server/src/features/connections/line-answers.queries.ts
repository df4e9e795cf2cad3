import type { Ctx } from "#server/platform/ctx.ts";
import type { Db, Statement } from "#server/platform/db/index.ts";

export async function insertAnswer(ctx: Ctx, id: string, answer: object): Promise<void> {
  await ctx.db
    .insertInto("line_answers")
    .values({ id, company_id: ctx.companyId, answer: JSON.stringify(answer) })
    .execute();
}

export async function findAnswer(db: Db, companyId: number, id: string): Promise<unknown> {
  const [row] = await db.readOne(companyId, FIND, [id]);
  return row?.answer;
}

const FIND: Statement<{ answer: unknown }> = {
  name: "line_answers_find",
  text: "select answer from line_answers where id = $1",
};
