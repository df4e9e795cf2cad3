export { moveMessagesOfContact, moveMessagesOfTicket } from "./move-messages.queries.ts";
export { snapshotMessages, undoMessageMerge } from "./undo-message-merge.queries.ts";
export type { MessageSnapshot } from "./undo-message-merge.queries.ts";
