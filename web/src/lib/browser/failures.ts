import { useSyncExternalStore } from "react";

/** Conversations with a message that could not be sent: the outbox tells, lists show it. */
let failed: ReadonlySet<number> = new Set();
const listeners = new Set<() => void>();

/** Called by the outbox with the ids of all conversations in which a message failed. */
export function setFailed(ticketIds: ReadonlySet<number>): void {
  if (ticketIds.size !== failed.size || [...ticketIds].some((id) => !failed.has(id))) {
    failed = ticketIds;
    listeners.forEach((listener) => listener());
  }
}

/** Does this conversation hold a message that the user wrote here and the server refused? Live. */
export function useFailed(ticketId: number): boolean {
  return useSyncExternalStore(subscribe, () => failed.has(ticketId));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
