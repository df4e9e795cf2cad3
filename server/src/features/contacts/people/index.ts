export { createContactResolver } from "./contact-resolver.ts";
export type { ContactResolver } from "./contact-resolver.ts";
export { deleteOldMerges, isAnyBlocked } from "./merge-contacts.queries.ts";
export { mergeContacts } from "./merge-contacts.ts";
export type { ContactMergeParticipants } from "./merge-participants.ts";
export { undoContactMerge } from "./undo-contact-merge.ts";
