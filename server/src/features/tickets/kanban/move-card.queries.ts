import type { Tag } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const LOCK_TAG: Statement<Pick<Tag, "kanban">> = {
  name: "tag_lock",
  text: `select kanban from tags where company_id = $1 and id = $2 for key share`,
};

/** The tag, locked against its deletion until the transaction ends. */
export async function lockTag(ctx: Ctx, id: number): Promise<Pick<Tag, "kanban"> | undefined> {
  const [tag] = await ctx.raw(LOCK_TAG, [ctx.companyId, id]);
  return tag;
}
