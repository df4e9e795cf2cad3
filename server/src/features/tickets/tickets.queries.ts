import type { TicketStatus } from "@prosa/contract";
import { connectionIdSql } from "#server/features/connections/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { DomainEvent } from "#server/platform/ctx.ts";
import { savedTicketJson } from "./tickets.view.queries.ts";
import type { TicketChange, TicketState } from "./tickets.state.ts";

/** The columns of a ticket that its verbs read. */
export interface TicketRow extends TicketState {
  readonly status: TicketStatus;
  readonly connectionId: number | null;
  readonly contactId: number;
  readonly isGroup: boolean;
  readonly unreadMessages: number;
  readonly episodeId: number | null;
  /** When its last message was sent; a message of ours never gets an earlier time. */
  readonly lastMessageAt: Date;
  /** When the awaited user wrote last; null: they have not written yet. */
  readonly awaitedSince: Date | null;
}

/** Selects a `TicketRow`. */
export const ticketColumns = `t.id, t.status, t.user_id as "userId", t.queue_id as "queueId", ${connectionIdSql("t")} as "connectionId",
  t.contact_id as "contactId", t.is_group as "isGroup", t.chatbot, t.use_integration as "useIntegration",
  t.integration_id as "integrationId", t.prompt_id as "promptId", t.unread_messages as "unreadMessages",
  t.episode_id as "episodeId", t.last_message_at as "lastMessageAt", t.awaited_user_id as "awaitedUserId",
  t.awaited_since as "awaitedSince"`;

const LOCK_TICKET: Statement<TicketRow> = {
  name: "ticket_lock",
  text: `select ${ticketColumns} from tickets t where t.company_id = $1 and t.id = $2 for no key update`,
};

const FIND_TICKET: Statement<TicketRow> = {
  name: "ticket_find",
  text: `select ${ticketColumns} from tickets t where t.company_id = $1 and t.id = $2`,
};

const FIND_BY_CONTACT: Statement<TicketRow> = {
  name: "ticket_of_contact",
  text: `select ${ticketColumns} from tickets t
    where t.company_id = $1 and t.connection_id = $2 and t.contact_id = $3 for no key update`,
};

/** The ticket, locked until the transaction ends: verbs on one ticket run one after another. ERR_NO_TICKET_FOUND. */
export async function lockTicket(ctx: Ctx, id: number): Promise<TicketRow> {
  return firstOrThrow(await ctx.raw(LOCK_TICKET, [ctx.companyId, id]));
}

/** The ticket, without a lock; ERR_NO_TICKET_FOUND. */
export async function findTicket(ctx: Ctx, id: number): Promise<TicketRow> {
  return firstOrThrow(await ctx.raw(FIND_TICKET, [ctx.companyId, id]));
}

function firstOrThrow([ticket]: TicketRow[]): TicketRow {
  if (!ticket) {
    throw new AppError("ERR_NO_TICKET_FOUND");
  }
  return ticket;
}

const LOCK_TICKETS: Statement<TicketRow> = {
  name: "tickets_lock",
  text: `select ${ticketColumns} from tickets t where t.company_id = $1 and t.id = any($2::int[])
    order by t.id for no key update`,
};

/** Locks those that exist, in the order of their ids. Every transaction locks in this order, so that no deadlock can arise. */
export async function lockTickets(ctx: Ctx, ids: readonly number[]): Promise<TicketRow[]> {
  return ids.length === 0 ? [] : ctx.raw(LOCK_TICKETS, [ctx.companyId, ids]);
}

/** The one ticket of a contact on a connection, locked. */
export async function lockTicketOf(ctx: Ctx, connectionId: number, contactId: number): Promise<TicketRow | undefined> {
  const [ticket] = await ctx.raw(FIND_BY_CONTACT, [ctx.companyId, connectionId, contactId]);
  return ticket;
}

const LOCK_OF_CONTACTS: Statement<TicketRow> = {
  name: "tickets_lock_of_contacts_on_connection",
  text: `select ${ticketColumns} from tickets t
    where t.company_id = $1 and t.connection_id = $2 and t.contact_id = any($3::int[]) order by t.id for no key update`,
};

/** Locks the tickets of these contacts on a connection, in the order of `lockTickets`. */
export async function lockTicketsOfContacts(
  ctx: Ctx,
  connectionId: number,
  contactIds: readonly number[],
): Promise<TicketRow[]> {
  return ctx.raw(LOCK_OF_CONTACTS, [ctx.companyId, connectionId, contactIds]);
}

const FIND_OF_CONTACT: Statement<TicketRow> = {
  name: "tickets_of_contact",
  text: `select ${ticketColumns} from tickets t where t.company_id = $1 and t.contact_id = $2 order by t.id`,
};

/** All tickets of a contact: one for each connection where it has a conversation, and those of deleted ones. */
export async function findTicketsOf(ctx: Ctx, contactId: number): Promise<TicketRow[]> {
  return ctx.raw(FIND_OF_CONTACT, [ctx.companyId, contactId]);
}

const FIND_LATEST: Statement<TicketRow> = {
  name: "ticket_latest_of_contact",
  text: `select ${ticketColumns} from tickets t
    where t.company_id = $1 and t.contact_id = $2
      and ${connectionIdSql("t")} = case when $3::int is null then t.connection_id else $3 end
    order by t.status = 'closed', t.last_message_at desc, t.id desc limit 1`,
};

/** The contact's open or pending ticket, else the one with the latest message; on that connection, or with null on any. */
export async function findLatestTicketOf(
  ctx: Ctx,
  contactId: number,
  connectionId: number | null,
): Promise<TicketRow | undefined> {
  const [ticket] = await ctx.raw(FIND_LATEST, [ctx.companyId, contactId, connectionId]);
  return ticket;
}

/** SQL of an episode's protocol: yyyyMMddHHmmss in the company's time zone + id of the ticket (behaviour 4). */
export const protocolSql = (at: string, ticketId: string, companyId: string) =>
  `to_char(${at} at time zone (select time_zone from companies where id = ${companyId}), 'YYYYMMDDHH24MISS') || ${ticketId}`;

/** How a change of the ticket changes its episode. */
export type EpisodeStep =
  /** Served by a user from now on. */
  | "start"
  /** Pending again. */
  | "requeue"
  | "finish"
  /** A new episode, served at once. */
  | "openStarted"
  /** A new episode, pending. */
  | "openQueued"
  /** Only user and queue are copied from the ticket. */
  | "follow";

/**
 * SQL of `waiting_since` after a move: resolving ends it, accepting does not. A ticket that comes (back) to a queue without
 * an unanswered word waits from then on. Whole seconds, as the times of messages, so that an answer in the same second counts.
 */
export const waitingSinceAfter = (status: string, step: string, now: string) =>
  `case when ${status} = 'closed' then null
      when ${status} = 'pending' and ${step} in ('requeue', 'openQueued') then coalesce(t.waiting_since, date_trunc('second', ${now}))
      else t.waiting_since end`;

// A user who accepts or transfers the ticket stops the bot until the next episode (behaviour 5, rule 8): `isOver` in the
// bot's state says so.
const setTicket = `status = $3, user_id = $4, queue_id = $5, chatbot = $6, use_integration = $7, integration_id = $8,
    prompt_id = $9, connection_id = $10, version = t.version + 1, updated_at = $11, awaited_user_id = $13,
    awaited_since = case when t.awaited_user_id = $13 then t.awaited_since end,
    waiting_since = ${waitingSinceAfter("$3", "$12", "$11")},
    bot_state = case when $6 then t.bot_state else coalesce(t.bot_state, '{}') || '{"isOver": true}' end`;

const SAVE_AND_FOLLOW: Statement<{ view: string }> = {
  name: "ticket_save_running",
  text: `with running as (
      update episodes set user_id = $4, queue_id = $5,
        started_at = case $12 when 'start' then coalesce(started_at, $11) when 'requeue' then null else started_at end,
        finished_at = case $12 when 'finish' then $11::timestamptz end
      where company_id = $1 and ticket_id = $2 and finished_at is null)
    update tickets t set ${setTicket} where t.company_id = $1 and t.id = $2
    returning ${savedTicketJson}::text as view`,
};

// Without the view: the row of the new episode, which has the protocol, is not visible before the next statement.
const SAVE_AND_OPEN: Statement<{ view: string }> = {
  name: "ticket_save_new_episode",
  text: `with opened as (
      insert into episodes (company_id, ticket_id, protocol, queued_at, started_at, user_id, queue_id)
      values ($1, $2, ${protocolSql("$11::timestamptz", "$2::int", "$1::int")}, $11,
        case $12 when 'openStarted' then $11::timestamptz end, $4, $5)
      returning id)
    update tickets t set ${setTicket}, episode_id = opened.id from opened where t.company_id = $1 and t.id = $2`,
};

/** A ticket after a change. */
export interface SavedTicket {
  readonly ticket: TicketRow;
  /** JSON text of its view right after the change, before `fillNames`; null where it has to be read. */
  readonly view: string | null;
}

/** Saves a change of a ticket and of its episode, with the events and jobs of it and before it, in one statement. */
export async function saveTicket(
  ctx: Ctx,
  ticket: TicketRow,
  change: TicketChange & { readonly connectionId?: number },
  episode: EpisodeStep,
  eventOf: (saved: TicketRow) => DomainEvent,
): Promise<SavedTicket> {
  const next = { ...ticket, ...change };
  const isNew = episode === "openStarted" || episode === "openQueued";
  ctx.emit(eventOf(next));
  const [saved] = await ctx.rawWithOutbox(isNew ? SAVE_AND_OPEN : SAVE_AND_FOLLOW, [
    ctx.companyId,
    ticket.id,
    next.status,
    next.userId,
    next.queueId,
    next.chatbot,
    next.useIntegration,
    next.integrationId,
    next.promptId,
    next.connectionId,
    ctx.now(),
    episode,
    next.awaitedUserId,
  ]);
  return { ticket: next, view: saved?.view ?? null };
}

// Whole seconds, as WhatsApp's times: a first message in the second in which the ticket is created must not be older than it.
const INSERT_TICKET: Statement<TicketRow> = {
  name: "ticket_insert",
  text: `insert into tickets as t (company_id, connection_id, contact_id, is_group, status, user_id, queue_id,
      last_message_at, created_at, updated_at)
    values ($1, $2, $3, $4, 'closed', null, null, date_trunc('second', $5::timestamptz), $5, $5)
    on conflict (connection_id, contact_id) do nothing
    returning ${ticketColumns}`,
};

/** Inserts a closed ticket, for the caller to open. Undefined where another transaction inserted it at the same time: lock that one. */
export async function insertTicket(
  ctx: Ctx,
  ticket: { readonly connectionId: number; readonly contactId: number; readonly isGroup: boolean },
): Promise<TicketRow | undefined> {
  const { connectionId, contactId, isGroup } = ticket;
  const [row] = await ctx.raw(INSERT_TICKET, [ctx.companyId, connectionId, contactId, isGroup, ctx.now()]);
  return row;
}

const DELETE_TICKET: Statement<never> = {
  name: "ticket_delete",
  text: `delete from tickets where company_id = $1 and id = $2`,
};

/** Deletes the ticket; messages, episodes and media rows go by cascade. */
export async function deleteTicketRow(ctx: Ctx, id: number): Promise<void> {
  await ctx.raw(DELETE_TICKET, [ctx.companyId, id]);
}

export interface TicketOwner {
  readonly id: number;
  readonly uuid: string;
  readonly userId: number | null;
  readonly user: { readonly id: number; readonly name: string } | null;
  readonly queue: { readonly id: number; readonly name: string } | null;
}

const OWNER: Statement<{ owner: TicketOwner }> = {
  name: "ticket_owner",
  text: `select json_build_object('id', t.id, 'uuid', t.uuid, 'userId', t.user_id,
      'user', case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end,
      'queue', case when q.id is not null then json_build_object('id', q.id, 'name', q.name) end) as owner
    from tickets t left join users u on u.id = t.user_id left join queues q on q.id = t.queue_id
    where t.company_id = $1 and t.id = $2`,
};

/** Owner and queue of a ticket, for the text of a refusal (specification 1 section 4). */
export async function readOwner(ctx: Ctx, id: number): Promise<TicketOwner> {
  const [row] = await ctx.raw(OWNER, [ctx.companyId, id]);
  if (!row) {
    throw new AppError("ERR_NO_TICKET_FOUND");
  }
  return row.owner;
}

export interface TicketReferences {
  readonly hasContact: boolean;
  readonly isGroup: boolean;
  readonly connectionId: number | null;
  readonly hasQueue: boolean;
  /** Who can sign in: nobody who has not accepted their invitation. */
  readonly hasUser: boolean;
}

const TICKET_REFERENCES: Statement<TicketReferences> = {
  name: "ticket_references",
  text: `select
      exists (select from contacts where company_id = $1 and id = $2::int) as "hasContact",
      coalesce((select is_group from contacts where company_id = $1 and id = $2::int), false) as "isGroup",
      (select id from connections where company_id = $1 and
        case when $3::int is not null then id = $3::int
          else id = coalesce(
            (select k.id from users u join connections k on k.id = u.connection_id where u.company_id = $1 and u.id = $6::int),
            (select id from connections where company_id = $1 and is_default)) end) as "connectionId",
      exists (select from queues where company_id = $1 and id = $4::int) as "hasQueue",
      exists (select from users where company_id = $1 and id = $5::int and not exists (
        select from invitations where user_id = $5::int and accepted_at is null)) as "hasUser"`,
};

/** Which of these ids exist in this company, and which connection the ticket uses: the requested, else the actor's, else the default. */
export async function readTicketReferences(
  ctx: Ctx,
  ids: {
    readonly contactId: number | null;
    readonly connectionId: number | null;
    readonly queueId: number | null;
    readonly userId: number | null;
    readonly actorId: number | null;
  },
): Promise<TicketReferences> {
  const { contactId, connectionId, queueId, userId, actorId } = ids;
  const [references] = await ctx.raw(TICKET_REFERENCES, [
    ctx.companyId,
    contactId,
    connectionId,
    queueId,
    userId,
    actorId,
  ]);
  return references!;
}
