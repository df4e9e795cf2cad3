import type { MergedTicket } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/**
 * Deletes duplicates: the same message may have been received under both addresses of a person before they were known to be
 * one. The moved copy is deleted, or the other one if only that is a placeholder. Two messages that differ are both kept.
 */
const DELETE_DUPLICATES: Statement<{ isUnread: boolean }> = {
  name: "messages_delete_duplicates",
  text: `with duplicates as (
      select case when b.is_stub and not a.is_stub then b.id else a.id end as id
      from messages a
      join messages b on b.connection_id = a.connection_id and b.wa_id = a.wa_id and b.contact_id = $3 and b.from_me = a.from_me
      where a.company_id = $1 and a.contact_id = $2
        and (a.is_stub or b.is_stub or (a.media_type = b.media_type and a.body = b.body)))
    delete from messages m using duplicates where m.company_id = $1 and m.id = duplicates.id
    returning not m.from_me and not m.is_read as "isUnread"`,
};

/** SQL of the id of the message `m` at the contact `to`: one that has a message of this id already gets a suffix of `#` and the row id. */
export const movedId = (to: string) => `case when exists (
    select from messages b
    where b.connection_id = m.connection_id and b.wa_id = m.wa_id and b.contact_id = ${to} and b.from_me = m.from_me)
  then m.wa_id || '#' || m.id else m.wa_id end`;

const MOVE_TO_CONTACT: Statement<never> = {
  name: "messages_move_to_contact",
  text: `update messages m set contact_id = $3, wa_id = ${movedId("$3")} where m.company_id = $1 and m.contact_id = $2`,
};

/** Messages that still wait to be sent by a connection. */
export interface QueuedAtConnection {
  readonly connectionId: number;
  /** The ticket that they were of until now. */
  readonly fromTicketId: number;
  /** A person wrote one of them. */
  readonly isByPerson: boolean;
}

/** SQL: `QueuedAtConnection` of the rows `m` that an update returned with these columns. */
export const returningQueued = `m.connection_id, m.from_me and m.ack = 0 and not m.is_deleted as is_queued,
      m.user_id is not null and not m.is_automatic as is_by_person`;
export const queuedColumns = `connection_id as "connectionId", bool_or(is_by_person) as "isByPerson"`;

const JOIN_TO_TICKET: Statement<QueuedAtConnection> = {
  name: "messages_join_to_ticket",
  text: `with moved as (
      update messages m set ticket_id = $3, version = m.version + 1 where m.company_id = $1 and m.ticket_id = $2
      returning ${returningQueued})
    select ${queuedColumns}, $2::int as "fromTicketId" from moved
    where is_queued and connection_id is not null group by connection_id`,
};

/** Moves the messages of a ticket into another one of the same contact. */
export async function joinToTicket(ctx: Ctx, { from, into }: MergedTicket): Promise<QueuedAtConnection[]> {
  return ctx.raw(JOIN_TO_TICKET, [ctx.companyId, from, into]);
}

const MOVE_TO_TICKET: Statement<QueuedAtConnection> = {
  name: "messages_move_to_ticket",
  text: `with moved as (
      update messages m set ticket_id = $4, contact_id = $3, wa_id = ${movedId("$3")}, version = m.version + 1
      where m.company_id = $1 and m.ticket_id = $2
      returning ${returningQueued})
    select ${queuedColumns}, $2::int as "fromTicketId" from moved
    where is_queued and connection_id is not null group by connection_id`,
};

/** Moves the messages of a contact to another contact. */
export async function moveMessagesOfContact(ctx: Ctx, from: number, to: number): Promise<void> {
  await ctx.raw(DELETE_DUPLICATES, [ctx.companyId, from, to]);
  await ctx.raw(MOVE_TO_CONTACT, [ctx.companyId, from, to]);
}

/** Moves the messages of a ticket into another one. `duplicateUnread`: how many unread ones were deleted as duplicates. */
export async function moveToTicket(
  ctx: Ctx,
  { from, into }: MergedTicket,
  contacts: { readonly from: number; readonly to: number },
): Promise<{ readonly duplicateUnread: number; readonly queued: readonly QueuedAtConnection[] }> {
  const deleted = await ctx.raw(DELETE_DUPLICATES, [ctx.companyId, contacts.from, contacts.to]);
  const queued = await ctx.raw(MOVE_TO_TICKET, [ctx.companyId, from, contacts.to, into]);
  return { duplicateUnread: deleted.filter(({ isUnread }) => isUnread).length, queued };
}
