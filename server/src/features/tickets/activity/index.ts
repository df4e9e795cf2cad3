export { recordTraffic } from "./chat-activity.queries.ts";
export type { Agent, Traffic } from "./chat-activity.queries.ts";
export { refreshLastWords } from "./last-message-preview.ts";
export { readTicket } from "./mark-ticket-read.ts";
