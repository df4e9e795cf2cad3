export { openOutbox, outbox, useOutbox } from "./outbox.browser.ts";
export type { NewEntry, OutboxEntry } from "./outbox.ts";
export { loadPendingFile, PendingMessageBubble } from "./PendingMessageBubble.tsx";
