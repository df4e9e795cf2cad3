export { DecryptionWatch } from "./decryption-watch.ts";
export { StoredCopies } from "./retry-suppressor.ts";
export {
  callEvents,
  chatEvents,
  groupEvents,
  groupReceiptEvents,
  identityEvents,
  messageEvents,
  pictureEvents,
  receiptEvents,
  typingOf,
  unreadableEvents,
  withheldEvents,
} from "./translate-events.ts";
