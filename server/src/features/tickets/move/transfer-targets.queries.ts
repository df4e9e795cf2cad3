import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** Which tickets are counted: all, or those of some queues and the actor's own. */
export interface CountedTickets {
  readonly isOfAll: boolean;
  readonly queueIds: readonly number[];
  readonly seesQueueless: boolean;
}

const COUNT_OPEN: Statement<{ userId: number; count: number }> = {
  name: "tickets_open_by_user",
  text: `select t.user_id as "userId", count(*)::int as count from tickets t
    where t.company_id = $1 and t.status = 'open'
      and ($2::boolean or t.queue_id = any($3::int[]) or ($4::boolean and t.queue_id is null) or t.user_id = $5::int)
    group by t.user_id`,
};

/** The number of open tickets by their owner; who has none of them is left out. */
export async function countOpenTickets(
  ctx: Ctx,
  { isOfAll, queueIds, seesQueueless }: CountedTickets,
): Promise<ReadonlyMap<number, number>> {
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const rows = await ctx.raw(COUNT_OPEN, [ctx.companyId, isOfAll, queueIds, seesQueueless, userId]);
  return new Map(rows.map(({ userId: owner, count }) => [owner, count]));
}
