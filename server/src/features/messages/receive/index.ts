export { fillChangePlaceholders } from "./fill-change-placeholders.ts";
export type { ChangeMessage } from "./fill-change-placeholders.ts";
export { recordReceived } from "./record-received.queries.ts";
export type {
  Participant,
  ReceivedLink,
  ReceivedMedia,
  ReceivedMessage,
  StoredMessage,
} from "./record-received.queries.ts";
