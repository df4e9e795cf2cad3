export { applyReceivedChanges, applyPendingChanges, restoreWithdrawn, withdrawPaused } from "./change/index.ts";
export type { ChatAddresses, ReceivedChange } from "./change/index.ts";
export { failPendingOnLineDeletion } from "./fail-pending-on-line-deletion.ts";
export { enqueueLinkPreview, oneLine } from "./links/index.ts";
export {
  enqueueMediaDownload,
  fillMissingMedia,
  findMessageFiles,
  findRecording,
  findMediaOfMessages,
  mediaSourceContext,
  saveTranscript,
  setMediaReady,
  storeUploads,
} from "./media/index.ts";
export type { FoundFile } from "./media/index.ts";
export {
  joinMessagesOfTicket,
  moveMessagesOfContact,
  moveMessagesOfTicket,
  snapshotMessages,
  undoMessageMerge,
} from "./merge/index.ts";
export type { MessageSnapshot } from "./merge/index.ts";
export { clampReceivedTime, truncateToSecond } from "./message-time.ts";
export { messageCreated, messageUpdated } from "./messages.events.ts";
export { readMessageViews } from "./messages.view.queries.ts";
export { findTypingChat, keepTyping } from "./presence/index.ts";
export type { TypingChat } from "./presence/index.ts";
export { markReadFromPhone } from "./read/index.ts";
export { fillChangePlaceholders, recordReceived } from "./receive/index.ts";
export type {
  ChangeMessage,
  Participant,
  ReceivedLink,
  ReceivedMedia,
  ReceivedMessage,
  StoredMessage,
} from "./receive/index.ts";
export { retryMessage } from "./retry-message.ts";
export {
  advanceAcks,
  campaignTrackTask,
  dueAt,
  toOutgoingMessages,
  failMessages,
  sendAutomatic,
  sendMessages,
} from "./send/index.ts";
export type { AutomaticSending, OutgoingMessage, SendOptions, SendResult } from "./send/index.ts";
export { expiredMessages, previewExpired } from "./erase/index.ts";
export { enqueueMoveUnsent } from "./transfer/index.ts";
