import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { movedId, queuedColumns, returningQueued } from "./move-messages.queries.ts";
import type { QueuedAtConnection } from "./move-messages.queries.ts";

/** The ids of a contact's messages in one ticket before a merge. */
export interface MessageSnapshot {
  readonly ticketId: number;
  readonly ids: readonly number[];
}

const SNAPSHOT: Statement<MessageSnapshot> = {
  name: "messages_snapshot",
  text: `select ticket_id as "ticketId", json_agg(id order by id) as ids from messages
    where company_id = $1 and contact_id = $2 group by ticket_id`,
};

/** Takes the snapshot that `undoMessageMerge` needs. */
export async function snapshotMessages(ctx: Ctx, contactId: number): Promise<MessageSnapshot[]> {
  return ctx.raw(SNAPSHOT, [ctx.companyId, contactId]);
}

const UNDO_MERGE: Statement<QueuedAtConnection> = {
  name: "messages_undo_merge",
  // Removes the suffix of `#` and row id that the merge added; ids of WhatsApp may contain a # themselves.
  text: `with merged as (select id, ticket_id from messages where company_id = $1 and id = any($4::bigint[])),
    moved as (
      update messages m set ticket_id = $2, contact_id = $3, wa_id = regexp_replace(m.wa_id, '#' || m.id || '$', ''),
        version = m.version + 1
      from merged where m.company_id = $1 and m.id = merged.id
      returning merged.ticket_id as from_ticket_id, ${returningQueued})
    select ${queuedColumns}, from_ticket_id as "fromTicketId" from moved
    where is_queued and connection_id is not null and from_ticket_id <> $2 group by connection_id, from_ticket_id`,
};

const GIVE_TO_CONTACT: Statement<never> = {
  name: "messages_give_to_contact_of_ticket",
  text: `update messages m set contact_id = $2, wa_id = ${movedId("$2")}, version = m.version + 1
    from tickets t where m.company_id = $1 and t.contact_id = $2 and m.ticket_id = t.id and m.contact_id <> $2`,
};

/** Moves the messages of a snapshot back to this contact and to their earlier ticket. */
export async function moveBackToTicket(
  ctx: Ctx,
  contactId: number,
  { ticketId, ids }: MessageSnapshot,
): Promise<QueuedAtConnection[]> {
  return ctx.raw(UNDO_MERGE, [ctx.companyId, ticketId, contactId, ids]);
}

/** Gives the contact what was written since into its tickets. */
export async function giveToContactOfTickets(ctx: Ctx, contactId: number): Promise<void> {
  await ctx.raw(GIVE_TO_CONTACT, [ctx.companyId, contactId]);
}
