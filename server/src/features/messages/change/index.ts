export { applyReceivedChanges, applyPendingChanges } from "./apply-received-changes.ts";
export type { ReceivedChange } from "./apply-received-changes.ts";
export { failChange } from "./change-failures.queries.ts";
export { deleteMessage, editMessage, react, retryChange } from "./change-message.ts";
export { findChangeTargets } from "./changes.queries.ts";
export type { ChatAddresses } from "./changes.queries.ts";
export { ADMIN_TASK, deleteByAdmin } from "./delete-by-admin.ts";
export { pruneWaiting } from "./pending-changes.queries.ts";
export { changePayload, sendChange } from "./send-change.jobs.ts";
