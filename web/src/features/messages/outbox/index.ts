export { openOutbox, outbox, useOutbox } from "./outbox.browser.ts";
export type { NewEntry, OutboxEntry } from "./outbox.ts";
export { PendingMessageBubble } from "./PendingMessageBubble.tsx";
