export { findChatHistory, findGroupHistory } from "./history.queries.ts";
export { restoreChats, restoreGroups } from "./restore-history.ts";
