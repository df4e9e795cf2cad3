export { isOwner, markConversationRead, openConversation } from "./mark-conversation-read.ts";
export { markReadFromPhone } from "./mark-read-from-phone.ts";
export { sendReadReceipts } from "./send-read-receipts.jobs.ts";
