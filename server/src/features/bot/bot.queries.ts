import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** The facts of a ticket that automatic messages depend on; most are variables of their texts. */
export interface ChatFacts {
  readonly ticketId: number;
  readonly contactName: string;
  /** A blocked contact gets no message. */
  readonly isBlocked: boolean;
  readonly protocol: string;
  readonly userName: string | null;
  readonly queueName: string | null;
}

const CHAT_FACTS: Statement<ChatFacts> = {
  name: "bot_chat_facts",
  text: `select t.id as "ticketId", c.name as "contactName", c.is_blocked as "isBlocked", coalesce(e.protocol, '') as protocol,
      u.name as "userName", q.name as "queueName"
    from tickets t
    join contacts c on c.id = t.contact_id
    left join episodes e on e.id = t.episode_id
    left join users u on u.id = t.user_id
    left join queues q on q.id = t.queue_id
    where t.company_id = $1 and t.id = any($2::int[])`,
};

/** The current facts of these tickets, by ticket id. */
export async function readChatFacts(ctx: Ctx, ticketIds: readonly number[]): Promise<ReadonlyMap<number, ChatFacts>> {
  const rows = ticketIds.length === 0 ? [] : await ctx.raw(CHAT_FACTS, [ctx.companyId, ticketIds]);
  return new Map(rows.map((facts) => [facts.ticketId, facts]));
}
