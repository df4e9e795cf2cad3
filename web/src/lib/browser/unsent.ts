import { useSyncExternalStore } from "react";

/** What the outbox holds of a conversation. */
export interface Unsent {
  /** The server refused a message; else the messages wait for the network. */
  readonly isFailed: boolean;
  /** The newest message's text, or the name of its file. */
  readonly text: string;
  /** Its kind, as of a ticket's last message. */
  readonly type: string;
}

/** By conversation: the outbox tells, lists show it. */
let unsent: ReadonlyMap<number, Unsent> = new Map();
const listeners = new Set<() => void>();

/** Called by the outbox with all conversations that hold a message which failed, or waits for the network. */
export function setUnsent(next: ReadonlyMap<number, Unsent>): void {
  if (unsent.size + next.size > 0) {
    unsent = next;
    listeners.forEach((listener) => listener());
  }
}

/** What the user wrote in this conversation here, and the server has not stored. Live. */
export function useUnsent(ticketId: number): Unsent | undefined {
  return useSyncExternalStore(subscribe, () => unsent.get(ticketId));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
