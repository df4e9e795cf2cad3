export { expiredMessages, messageData, previewExpired } from "./erase-messages.ts";
