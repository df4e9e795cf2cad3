export { moveMessagesOfContact, moveMessagesOfTicket } from "./move-messages.queries.ts";
export { rememberMessages, splitMessages } from "./undo-message-merge.queries.ts";
export type { MessageMemory } from "./undo-message-merge.queries.ts";
