export { joinMessagesOfTicket, moveMessagesOfTicket, undoMessageMerge } from "./merge-messages.ts";
export { moveMessagesOfContact } from "./move-messages.queries.ts";
export { snapshotMessages } from "./undo-message-merge.queries.ts";
export type { MessageSnapshot } from "./undo-message-merge.queries.ts";
