import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** What the words to a contact depend on. */
export interface ChatFacts {
  readonly ticketId: number;
  readonly contactName: string;
  /** The company does not write to them. */
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

/** The facts of these tickets, as they are now, by ticket. */
export async function readChatFacts(ctx: Ctx, ticketIds: readonly number[]): Promise<ReadonlyMap<number, ChatFacts>> {
  const rows = ticketIds.length === 0 ? [] : await ctx.raw(CHAT_FACTS, [ctx.companyId, ticketIds]);
  return new Map(rows.map((facts) => [facts.ticketId, facts]));
}

/** A connection whose tickets may not wait for ever. Times in minutes, 0 for none. */
export interface TimedConnection {
  readonly companyId: number;
  readonly connectionId: number;
  readonly timeToTransfer: number;
  readonly transferQueueId: number | null;
  readonly expiresTicket: number;
}

/** Of all companies that are switched on; read by the machinery. */
export const TIMED_CONNECTIONS: Statement<TimedConnection> = {
  name: "bot_timed_connections",
  text: `select l.company_id as "companyId", l.id as "connectionId", time_to_transfer as "timeToTransfer",
      transfer_queue_id as "transferQueueId", expires_ticket as "expiresTicket"
    from connections l join companies c on c.id = l.company_id and c.is_active
    where expires_ticket > 0 or (time_to_transfer > 0 and transfer_queue_id is not null)
    order by l.id`,
};
