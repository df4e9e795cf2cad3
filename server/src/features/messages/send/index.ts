export { advanceAcks, failMessages, failUnsent } from "./acks.queries.ts";
export { toOutgoingMessages } from "./outgoing-messages.ts";
export { flushChat, newWaId, sendMessages } from "./send-messages.ts";
export type { OutgoingMessage, SendOptions, SendResult } from "./send-messages.ts";
export { sendWaiting } from "./send-messages.jobs.ts";
export { afterFailure, sendErrorOf, sendTries } from "./send-retry-policy.ts";
export { requeueMessage } from "./send.queries.ts";
