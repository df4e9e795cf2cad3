import { linesOf } from "#server/features/connections/index.ts";
import { createContactBook } from "#server/features/contacts/index.ts";
import { moveMessagesOfContact, moveMessagesOfTicket } from "#server/features/messages/index.ts";
import { mergeTickets } from "#server/features/tickets/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { createIngest } from "./ingest.ts";

/** What belongs to a contact, moved to the one that they turned out to be (W-10). */
export const contactBook = createContactBook(async (ctx, from, to) => {
  await mergeTickets(ctx, from, to, moveMessagesOfTicket);
  await moveMessagesOfContact(ctx, from, to);
});

export const feature: Feature = {
  name: "inbound",
  // Before any line starts: what it receives is taken in here.
  parts(services) {
    linesOf(services).takeInBy(createIngest({ vault: services.vault, contacts: contactBook }));
    return [];
  },
};
