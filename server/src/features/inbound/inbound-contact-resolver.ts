import { createContactResolver } from "#server/features/contacts/index.ts";
import { contactMergeParticipants } from "./contact-merge-participants.ts";

/** The contact resolver of inbound events; contacts that turn out to be one person are merged with all their data (W-10). */
export const contactResolver = createContactResolver(contactMergeParticipants);
