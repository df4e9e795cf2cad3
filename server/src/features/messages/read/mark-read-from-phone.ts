import { lockTicketsOfContacts, markTicketRead } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { markReadUpToMessages, markReadUpToTime } from "./read.queries.ts";

/** A read mark of the company's phone in a contact's conversation: up to the newest of these messages, or up to a time. */
export interface PhoneRead {
  readonly contactId: number;
  readonly upTo: readonly string[] | Date;
}

/** Applies the read marks of the company's phone. Read receipts are not sent: the phone has sent them already. */
export async function markReadFromPhone(ctx: Ctx, connectionId: number, reads: readonly PhoneRead[]): Promise<void> {
  const contactIds = [...new Set(reads.map(({ contactId }) => contactId))];
  for (const ticket of await lockTicketsOfContacts(ctx, connectionId, contactIds)) {
    let remaining = 0;
    for (const { upTo } of reads.filter(({ contactId }) => contactId === ticket.contactId)) {
      remaining =
        upTo instanceof Date
          ? await markReadUpToTime(ctx, ticket.id, upTo)
          : await markReadUpToMessages(ctx, { connectionId, ticketId: ticket.id }, upTo);
    }
    await markTicketRead(ctx, ticket, remaining);
  }
}
