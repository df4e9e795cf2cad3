export { recordChatActivity } from "./ticket-activity.queries.ts";
export type { Agent, ChatActivity } from "./ticket-activity.queries.ts";
export { refreshLastMessagePreview } from "./last-message-preview.ts";
export { markTicketRead } from "./mark-ticket-read.ts";
