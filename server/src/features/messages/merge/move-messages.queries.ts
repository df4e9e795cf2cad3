import type { MergedTicket } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/**
 * The same message, delivered under both addresses of somebody before they were known to be one person: what was moved
 * goes, unless the other one still has no words. Nothing else goes: of two that differ both are kept.
 */
const DROP_SAME: Statement<{ isUnread: boolean }> = {
  name: "messages_drop_same",
  text: `with twins as (
      select case when b.is_stub and not a.is_stub then b.id else a.id end as id
      from messages a
      join messages b on b.connection_id = a.connection_id and b.wa_id = a.wa_id and b.contact_id = $3 and b.from_me = a.from_me
      where a.company_id = $1 and a.contact_id = $2
        and (a.is_stub or b.is_stub or (a.media_type = b.media_type and a.body = b.body)))
    delete from messages m using twins where m.company_id = $1 and m.id = twins.id
    returning not m.from_me and not m.is_read as "isUnread"`,
};

/** An id that both had names the message of the one that stays; the other's is marked, and told from it by its row. */
const movedId = `case when exists (
    select from messages b
    where b.connection_id = m.connection_id and b.wa_id = m.wa_id and b.contact_id = $3 and b.from_me = m.from_me)
  then m.wa_id || '#' || m.id else m.wa_id end`;

const MOVE_TO_CONTACT: Statement<never> = {
  name: "messages_move_to_contact",
  text: `update messages m set contact_id = $3, wa_id = ${movedId} where m.company_id = $1 and m.contact_id = $2`,
};

const MOVE_TO_TICKET: Statement<never> = {
  name: "messages_move_to_ticket",
  text: `update messages m set ticket_id = $4, contact_id = $3, wa_id = ${movedId}, version = m.version + 1
    where m.company_id = $1 and m.ticket_id = $2`,
};

/** The messages of a contact are another's from now on. */
export async function moveMessagesOfContact(ctx: Ctx, from: number, to: number): Promise<void> {
  await ctx.raw(DROP_SAME, [ctx.companyId, from, to]);
  await ctx.raw(MOVE_TO_CONTACT, [ctx.companyId, from, to]);
}

/** The conversation of one ticket goes into another's. Returns how many unread messages both had, and are one now. */
export async function moveMessagesOfTicket(
  ctx: Ctx,
  { from, into }: MergedTicket,
  contacts: { readonly from: number; readonly to: number },
): Promise<number> {
  const dropped = await ctx.raw(DROP_SAME, [ctx.companyId, contacts.from, contacts.to]);
  await ctx.raw(MOVE_TO_TICKET, [ctx.companyId, from, contacts.to, into]);
  return dropped.filter(({ isUnread }) => isUnread).length;
}
