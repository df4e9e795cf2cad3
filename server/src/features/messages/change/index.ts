export { applyReceivedChanges, applyPendingChanges } from "./apply-received-changes.ts";
export type { ReceivedChange } from "./apply-received-changes.ts";
export { failChange } from "./change-failures.queries.ts";
export { deleteMessage, editMessage, enqueueChangeSend, reactToMessage, retryChange } from "./change-message.ts";
export { findChangeTargets } from "./changes.queries.ts";
export type { ChatAddresses } from "./changes.queries.ts";
export { DELETE_BY_ADMIN_TASK, deleteByAdmin } from "./delete-by-admin.ts";
export { prunePendingChanges } from "./pending-changes.queries.ts";
export { changePayload, sendChange } from "./send-change.jobs.ts";
