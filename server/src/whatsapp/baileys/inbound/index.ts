export { Backlog } from "./backlog.ts";
export { DecryptionWatch } from "./decryption-watch.ts";
export { RetrySuppressor } from "./retry-suppressor.ts";
export {
  callEvents,
  readMarkEvents,
  groupEvents,
  groupReceiptEvents,
  identityEvents,
  messageEvents,
  pictureEvents,
  receiptEvents,
  typingOf,
  unreadableEvents,
  unavailableEvents,
} from "./translate-events.ts";
