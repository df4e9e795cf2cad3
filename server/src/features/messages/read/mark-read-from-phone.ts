import { lockTicketsOfContacts, markTicketRead } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { markReadTo, markReadUntil } from "./read.queries.ts";

/** What the owner read of a contact's conversation on the phone: up to the newest of these messages, or up to this time. */
export interface PhoneRead {
  readonly contactId: number;
  readonly upTo: readonly string[] | Date;
}

/** The owner read these conversations on the phone. It has told the contacts, if anybody is to tell them. */
export async function markReadFromPhone(ctx: Ctx, connectionId: number, reads: readonly PhoneRead[]): Promise<void> {
  const contactIds = [...new Set(reads.map(({ contactId }) => contactId))];
  for (const ticket of await lockTicketsOfContacts(ctx, connectionId, contactIds)) {
    let remaining = 0;
    for (const { upTo } of reads.filter(({ contactId }) => contactId === ticket.contactId)) {
      remaining =
        upTo instanceof Date
          ? await markReadUntil(ctx, ticket.id, upTo)
          : await markReadTo(ctx, { connectionId, ticketId: ticket.id }, upTo);
    }
    await markTicketRead(ctx, ticket, remaining);
  }
}
