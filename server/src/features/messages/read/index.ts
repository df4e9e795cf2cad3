export { markConversationRead } from "./mark-conversation-read.ts";
export { markReadFromPhone } from "./mark-read-from-phone.ts";
export { sendReceipts } from "./send-read-receipts.jobs.ts";
