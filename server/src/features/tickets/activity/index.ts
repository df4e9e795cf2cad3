export { assignmentAfter, recordTicketActivity } from "./ticket-activity.queries.ts";
export type { Agent, TicketActivity } from "./ticket-activity.queries.ts";
export { refreshLastMessageFailure } from "./last-message-failure.ts";
export { refreshLastMessagePreview } from "./last-message-preview.ts";
export { markTicketRead } from "./mark-ticket-read.ts";
export { automaticActivitySql, sentActivitySql, sentActivityValues, sentPreview } from "./sent-activity.queries.ts";
export type { SentActivity } from "./sent-activity.queries.ts";
export { replyWaitsFor } from "./reply-waits-for.ts";
export { rebuildLastMessage } from "./rebuild-last-message.ts";
