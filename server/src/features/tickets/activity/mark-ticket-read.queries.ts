import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const SET_UNREAD: Statement<never> = {
  name: "ticket_set_unread",
  text: `update tickets set unread_messages = $3, version = version + 1 where company_id = $1 and id = $2`,
};

/** Sets the unread counter. */
export async function setUnread(ctx: Ctx, id: number, unread: number): Promise<void> {
  await ctx.raw(SET_UNREAD, [ctx.companyId, id, unread]);
}
