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

const ownColumns = `t.id, t.status, t.user_id as "userId", t.queue_id as "queueId", t.contact_id as "contactId",
  t.is_group as "isGroup", t.chatbot, t.episode_id as "episodeId", t.bot_state as "botState",
  t.awaited_user_id as "awaitedUserId", t.awaited_since as "awaitedSince",
  (select c.is_blocked from contacts c where c.id = t.contact_id) as "isBlocked"`;

/** Columns of a `ChatTicket`, of a ticket `t` and its episode `e`, if any. */
export const chatTicketColumns = `${ownColumns},
  e.rating_asked_at as "ratingAskedAt", e.rating, e.finished_at as "finishedAt"`;

const LOCK_TICKETS_OF_CONTACTS: Statement<ChatTicket> = {
  name: "tickets_lock_inbound",
  text: `select ${chatTicketColumns} from tickets t left join episodes e on e.id = t.episode_id
    where t.company_id = $1 and t.connection_id = $2 and t.contact_id = any($3::int[])
    order by t.id for no key update of t`,
};

// Nobody but who waits for the same key sees a new ticket before the commit: it needs no lock.
const INSERT_TICKETS: Statement<ChatTicket> = {
  name: "tickets_insert_inbound",
  text: `insert into tickets as t (company_id, connection_id, contact_id, is_group, status, last_message_at, created_at, updated_at)
    select $1, $2, v.contact_id, v.is_group, 'closed', v.at, $4, $4
    from jsonb_to_recordset($3::jsonb) as v(contact_id int, is_group boolean, at timestamptz)
    where not exists (select from tickets o where o.connection_id = $2 and o.contact_id = v.contact_id)
    order by v.contact_id
    on conflict (connection_id, contact_id) do nothing
    returning ${ownColumns}, null::timestamptz as "ratingAskedAt", null::int as rating, null::timestamptz as "finishedAt"`,
};

const INSERT_RESERVED: Statement<never> = {
  name: "tickets_insert_reserved",
  text: `insert into tickets (id, company_id, connection_id, contact_id, is_group, status, last_message_at, created_at, updated_at)
    overriding system value values ($1, $2, $3, $4, $5, 'closed', $6, $7, $7)`,
};

/** A ticket under an id that nobody else has. */
export interface ReservedTicket extends Pick<ChatTicket, "id" | "contactId" | "isGroup"> {
  /** When its first message was sent. */
  readonly at: Date;
}

/** Creates the ticket of a contact that this transaction has created, left in flight: its messages follow in the same round trip to PostgreSQL. */
export function createReservedTicket(
  ctx: Ctx,
  connectionId: number,
  { id, contactId, isGroup, at }: ReservedTicket,
): ChatTicket {
  ctx.leave(INSERT_RESERVED, [id, ctx.companyId, connectionId, contactId, isGroup, at, ctx.now()]);
  return {
    id,
    contactId,
    isGroup,
    status: "closed",
    userId: null,
    queueId: null,
    chatbot: false,
    episodeId: null,
    botState: null,
    awaitedUserId: null,
    awaitedSince: null,
    isBlocked: false,
    ratingAskedAt: null,
    rating: null,
    finishedAt: null,
  };
}

/**
 * Finds or creates the tickets of inbound chats: one for each contact on the connection, by contact id. A new ticket is
 * closed until a message opens it. `locked`: those that the caller has already. The others are locked in the order of their
 * ids, as everywhere, so that no deadlock can arise.
 */
export async function findOrCreateTickets(
  ctx: Ctx,
  connectionId: number,
  chats: readonly { readonly contactId: number; readonly isGroup: boolean; readonly at: Date }[],
  locked: ReadonlyMap<number, ChatTicket>,
): Promise<ReadonlyMap<number, ChatTicket>> {
  const missing = chats.filter(({ contactId }) => !locked.has(contactId));
  if (missing.length === 0) {
    return locked;
  }
  const rows = missing.map(({ contactId, isGroup, at }) => ({ contact_id: contactId, is_group: isGroup, at }));
  const created = await ctx.raw(INSERT_TICKETS, [ctx.companyId, connectionId, JSON.stringify(rows), ctx.now()]);
  const tickets = new Map([...locked, ...byContact(created)]);
  const contactIds = missing.flatMap(({ contactId }) => (tickets.has(contactId) ? [] : [contactId]));
  if (contactIds.length === 0) {
    return tickets;
  }
  const found = await ctx.raw(LOCK_TICKETS_OF_CONTACTS, [ctx.companyId, connectionId, contactIds]);
  return new Map([...tickets, ...byContact(found)]);
}

function byContact(tickets: readonly ChatTicket[]): [number, ChatTicket][] {
  return tickets.map((ticket) => [ticket.contactId, ticket]);
}
