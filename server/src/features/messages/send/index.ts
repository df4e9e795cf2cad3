export { advanceAcks, campaignTrackTask, failMessages, requeueFailed } from "./delivery.ts";
export { dueAt, waitsForPause } from "./pauses.ts";
export { toOutgoingMessages } from "./outgoing-messages.ts";
export { enqueueChatSend, mustSeeOrHaveSent, newWaId, SEND_TASK, sendMessages } from "./send-messages.ts";
export type { OutgoingMessage, SendOptions, SendResult } from "./send-messages.ts";
export { sendQueuedMessages, wakeHeldMessages } from "./send-messages.jobs.ts";
export { decideRetry, toSendError, maxSendAttempts } from "./send-retry-policy.ts";
export { sendAutomatic } from "./send-automatic.ts";
export type { AutomaticSending } from "./send-automatic.ts";
