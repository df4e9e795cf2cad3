import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { TicketRow } from "../tickets.queries.ts";

/** A ticket as the inbound pipeline reads it. */
export interface ChatTicket extends Pick<
  TicketRow,
  | "id"
  | "status"
  | "userId"
  | "queueId"
  | "contactId"
  | "isGroup"
  | "chatbot"
  | "episodeId"
  | "awaitedUserId"
  | "awaitedSince"
> {
  /** State of the bot's script in this episode, opaque here; null before its first turn. */
  readonly botState: unknown;
  readonly ratingAskedAt: Date | null;
  readonly rating: number | null;
  /** When the last episode ended; null while one is running. */
  readonly finishedAt: Date | null;
  /** The contact is blocked: messages are stored, but open no ticket and notify nobody. */
  readonly isBlocked: boolean;
}

const chatColumns = `t.id, t.status, t.user_id as "userId", t.queue_id as "queueId", t.contact_id as "contactId",
  t.is_group as "isGroup", t.chatbot, t.episode_id as "episodeId", t.bot_state as "botState",
  t.awaited_user_id as "awaitedUserId", t.awaited_since as "awaitedSince",
  e.rating_asked_at as "ratingAskedAt", e.rating, e.finished_at as "finishedAt",
  (select c.is_blocked from contacts c where c.id = t.contact_id) as "isBlocked"`;

const LOCK_TICKETS_OF_CONTACTS: Statement<ChatTicket> = {
  name: "tickets_lock_inbound",
  text: `select ${chatColumns} from tickets t left join episodes e on e.id = t.episode_id
    where t.company_id = $1 and t.connection_id = $2 and t.contact_id = any($3::int[])
    order by t.id for no key update of t`,
};

const INSERT_TICKETS: Statement<{ id: number }> = {
  name: "tickets_insert_inbound",
  text: `insert into tickets (company_id, connection_id, contact_id, is_group, status, last_message_at, created_at, updated_at)
    select $1, $2, v.contact_id, v.is_group, 'closed', v.at, $4, $4
    from jsonb_to_recordset($3::jsonb) as v(contact_id int, is_group boolean, at timestamptz)
    order by v.contact_id
    on conflict (connection_id, contact_id) do nothing`,
};

/**
 * Finds or creates the tickets of inbound chats: one for each contact on the connection, by contact id. A new ticket is
 * closed until a message opens it. All are locked in the order of their ids, as everywhere, so that no deadlock can arise.
 */
export async function findOrCreateTickets(
  ctx: Ctx,
  connectionId: number,
  chats: readonly { readonly contactId: number; readonly isGroup: boolean; readonly at: Date }[],
): Promise<ReadonlyMap<number, ChatTicket>> {
  const contactIds = chats.map(({ contactId }) => contactId);
  const lock = async () =>
    byContact(await ctx.raw(LOCK_TICKETS_OF_CONTACTS, [ctx.companyId, connectionId, contactIds]));
  const existing = await lock();
  const missing = chats.filter(({ contactId }) => !existing.has(contactId));
  if (missing.length === 0) {
    return existing;
  }
  const rows = missing.map(({ contactId, isGroup, at }) => ({ contact_id: contactId, is_group: isGroup, at }));
  await ctx.raw(INSERT_TICKETS, [ctx.companyId, connectionId, JSON.stringify(rows), ctx.now()]);
  return lock();
}

function byContact(tickets: readonly ChatTicket[]): ReadonlyMap<number, ChatTicket> {
  return new Map(tickets.map((ticket) => [ticket.contactId, ticket]));
}
