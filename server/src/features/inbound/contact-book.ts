import { createContactBook } from "#server/features/contacts/index.ts";
import { moveMessagesOfContact, moveMessagesOfTicket } from "#server/features/messages/index.ts";
import { moveNotesOfContact, moveNotesOfTicket } from "#server/features/notes/index.ts";
import { mergeTickets } from "#server/features/tickets/index.ts";

/** What belongs to a contact is moved to the one that they turned out to be (W-10). */
export const contactBook = createContactBook(async (ctx, from, to) => {
  await mergeTickets(ctx, from, to, async (within, merged, contactId) => {
    await moveMessagesOfTicket(within, merged, contactId);
    await moveNotesOfTicket(within, merged, contactId);
  });
  await moveMessagesOfContact(ctx, from, to);
  await moveNotesOfContact(ctx, from, to);
});
