export { advanceMessages, failMessages, failUnsent } from "./acks.queries.ts";
export { draftsOf } from "./outgoing-messages.ts";
export { flushChat, newWaId, sendMessages } from "./send-messages.ts";
export type { Draft, SendOptions, Sent } from "./send-messages.ts";
export { sendWaiting } from "./send-messages.jobs.ts";
export { afterFailure, sendErrorOf, sendTries } from "./send-retry-policy.ts";
export { requeueMessage } from "./send.queries.ts";
