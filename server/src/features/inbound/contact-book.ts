import { createContactBook } from "#server/features/contacts/index.ts";
import { belongings } from "./belongings.ts";

/** What belongs to a contact is moved to the one that they turned out to be (W-10). */
export const contactBook = createContactBook(belongings.move);
