export { createContactResolver } from "./contact-resolver.ts";
export type { ContactResolver } from "./contact-resolver.ts";
export { deleteOldMerges } from "./merge-contacts.queries.ts";
export { mergeContacts, undoMerge } from "./merge-contacts.ts";
export type { ContactMergeParticipants } from "./merge-participants.ts";
