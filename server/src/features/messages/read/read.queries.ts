import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";

const MARK_READ: Statement<{ waId: string; participant: PersonRef | null }> = {
  name: "messages_mark_read",
  text: `with read as (
      update messages set is_read = true where company_id = $1 and ticket_id = $2 and not from_me and not is_read
      returning id, wa_id, participant)
    select wa_id as "waId", participant from read order by id`,
};

/** Marks the contact's messages of a ticket as read. Returns those that were unread, oldest first, for the read receipts. */
export async function markMessagesRead(
  ctx: Ctx,
  ticketId: number,
): Promise<{ readonly waId: string; readonly participant: PersonRef | null }[]> {
  return ctx.raw(MARK_READ, [ctx.companyId, ticketId]);
}

const MARK_READ_TO: Statement<{ remaining: number }> = {
  name: "messages_mark_read_to",
  text: `with newest as (
      select sent_at, id from messages
      where company_id = $1 and connection_id = $2 and wa_id = any($4::text[]) and ticket_id = $3 and not from_me
      order by sent_at desc, id desc limit 1),
    read as (
      update messages m set is_read = true from newest n
      where m.company_id = $1 and m.ticket_id = $3 and not m.from_me and not m.is_read and (m.sent_at, m.id) <= (n.sent_at, n.id)
      returning m.id)
    select ((select count(*) from messages where company_id = $1 and ticket_id = $3 and not from_me and not is_read)
      - (select count(*) from read))::int as remaining`,
};

/**
 * Marks the contact's messages of a ticket as read, up to the newest of the given ones. Returns how many stay unread. If none
 * of the given ones is stored, marks nothing.
 */
export async function markReadUpToMessages(
  ctx: Ctx,
  ticket: { readonly connectionId: number; readonly ticketId: number },
  waIds: readonly string[],
): Promise<number> {
  const [row] = await ctx.raw(MARK_READ_TO, [ctx.companyId, ticket.connectionId, ticket.ticketId, waIds]);
  return row?.remaining ?? 0;
}

const MARK_READ_UNTIL: Statement<{ remaining: number }> = {
  name: "messages_mark_read_until",
  text: `with unread as (
      select id, sent_at from messages where company_id = $1 and ticket_id = $2 and not from_me and not is_read),
    read as (
      update messages m set is_read = true from unread u where m.company_id = $1 and m.id = u.id and u.sent_at <= $3)
    select count(*)::int as remaining from unread where sent_at > $3`,
};

/** Marks the contact's messages of a ticket as read, up to this time. Returns how many stay unread. */
export async function markReadUpToTime(ctx: Ctx, ticketId: number, until: Date): Promise<number> {
  const [row] = await ctx.raw(MARK_READ_UNTIL, [ctx.companyId, ticketId, until]);
  return row?.remaining ?? 0;
}
