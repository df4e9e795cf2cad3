import type { Db, Statement } from "#server/platform/db/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";

/** What presence needs of a ticket: who may see and act on it, and the contact's chat. */
export interface PresenceTicket {
  readonly status: "open" | "pending" | "closed";
  readonly userId: number | null;
  readonly queueId: number | null;
  readonly connectionId: number | null;
  readonly contactId: number;
}

const FIND_TICKET: Statement<PresenceTicket> = {
  name: "presence_ticket",
  text: `select status, user_id as "userId", queue_id as "queueId", connection_id as "connectionId",
      contact_id as "contactId" from tickets where company_id = $1 and id = $2`,
};

export async function findPresenceTicket(
  db: Db,
  companyId: number,
  ticketId: number,
): Promise<PresenceTicket | undefined> {
  const [ticket] = await db.readOne(companyId, FIND_TICKET, [companyId, ticketId]);
  return ticket;
}

const TICKET_OF_PERSON: Statement<{ id: number }> = {
  name: "presence_ticket_of_person",
  text: `select t.id from contact_identifiers i
    join tickets t on t.company_id = i.company_id and t.connection_id = i.connection_id and t.contact_id = i.contact_id
    where i.company_id = $1 and i.connection_id = $2
      and ((i.kind = 'phone' and i.value = $3) or (i.kind = 'lid' and i.value = $4))
    limit 1`,
};

/** The id of a person's ticket on a line; undefined if there is none. */
export async function findTicketOfPerson(
  ctx: Ctx,
  connectionId: number,
  { phone, lid }: PersonRef,
): Promise<number | undefined> {
  const [ticket] = await ctx.raw(TICKET_OF_PERSON, [ctx.companyId, connectionId, phone, lid]);
  return ticket?.id;
}
