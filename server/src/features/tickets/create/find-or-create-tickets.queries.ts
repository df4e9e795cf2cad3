import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { TicketRow } from "../tickets.queries.ts";

/** A ticket with what the pipeline of inbound messages looks at. */
export interface ChatTicket extends Pick<
  TicketRow,
  "id" | "status" | "userId" | "queueId" | "contactId" | "isGroup" | "chatbot" | "episodeId"
> {
  /** Where the bot stands in this episode, as the bot wrote it; null before its first turn. */
  readonly botState: unknown;
  readonly ratingAskedAt: Date | null;
  readonly rating: number | null;
  /** When the last episode ended; null while one is running. */
  readonly finishedAt: Date | null;
  /** The company does not talk to this contact: what they write is kept, and disturbs nobody. */
  readonly isBlocked: boolean;
}

const chatColumns = `t.id, t.status, t.user_id as "userId", t.queue_id as "queueId", t.contact_id as "contactId",
  t.is_group as "isGroup", t.chatbot, t.episode_id as "episodeId", t.bot_state as "botState",
  e.rating_asked_at as "ratingAskedAt", e.rating, e.finished_at as "finishedAt",
  (select c.is_blocked from contacts c where c.id = t.contact_id) as "isBlocked"`;

const LOCK_CHATS: Statement<ChatTicket> = {
  name: "tickets_lock_chats",
  text: `select ${chatColumns} from tickets t left join episodes e on e.id = t.episode_id
    where t.company_id = $1 and t.connection_id = $2 and t.contact_id = any($3::int[])
    order by t.id for no key update of t`,
};

const INSERT_CHATS: Statement<{ id: number }> = {
  name: "tickets_insert_chats",
  text: `insert into tickets (company_id, connection_id, contact_id, is_group, status, last_message_at, created_at, updated_at)
    select $1, $2, v.contact_id, v.is_group, 'closed', v.at, $4, $4
    from jsonb_to_recordset($3::jsonb) as v(contact_id int, is_group boolean, at timestamptz)
    order by v.contact_id
    on conflict (connection_id, contact_id) do nothing`,
};

/**
 * The tickets of these contacts on one connection, each made where there was none (closed, until a message opens it),
 * all locked in the order of their ids: whoever locks several does it in this order, so that nobody waits in a circle.
 */
export async function findOrCreateTickets(
  ctx: Ctx,
  connectionId: number,
  chats: readonly { readonly contactId: number; readonly isGroup: boolean; readonly at: Date }[],
): Promise<ReadonlyMap<number, ChatTicket>> {
  const contactIds = chats.map(({ contactId }) => contactId);
  const lock = async () => byContact(await ctx.raw(LOCK_CHATS, [ctx.companyId, connectionId, contactIds]));
  const known = await lock();
  const missing = chats.filter(({ contactId }) => !known.has(contactId));
  if (missing.length === 0) {
    return known;
  }
  const rows = missing.map(({ contactId, isGroup, at }) => ({ contact_id: contactId, is_group: isGroup, at }));
  await ctx.raw(INSERT_CHATS, [ctx.companyId, connectionId, JSON.stringify(rows), ctx.now()]);
  return lock();
}

function byContact(tickets: readonly ChatTicket[]): ReadonlyMap<number, ChatTicket> {
  return new Map(tickets.map((ticket) => [ticket.contactId, ticket]));
}
