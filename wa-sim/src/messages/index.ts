export { buildMessage } from "./build-message.ts";
export { Chats, isAction } from "./chats.ts";
export type { MessageView, Status, StoredMessage } from "./chats.ts";
export type { Content, ReceivedContent } from "./message-content.ts";
export { quotedBy, readMessage } from "./read-message.ts";
