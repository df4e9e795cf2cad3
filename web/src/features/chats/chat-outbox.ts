/** Chat messages that the server has not stored yet: shown at once, sent in order, kept in memory for a retry. */
import type { ChatMessage } from "@prosa/contract/chats";
import { useSyncExternalStore } from "react";

export interface PendingChatMessage {
  /** The same at each try: the server stores the message once. */
  readonly clientId: string;
  readonly chatId: number;
  readonly message: string;
  readonly createdAt: string;
  readonly isFailed: boolean;
}

export interface ChatOutboxParts {
  readonly post: (pending: PendingChatMessage) => Promise<ChatMessage>;
  readonly onSent: (message: ChatMessage) => void;
  readonly now: () => Date;
}

/** An outbox that sends the messages of each chat in order; chats do not wait for each other. */
export function createChatOutbox({ post, onSent, now }: ChatOutboxParts) {
  let entries: readonly PendingChatMessage[] = [];
  const listeners = new Set<() => void>();
  /** The delivery of the last message of each chat: the next message waits for it. */
  const lastDelivery = new Map<number, Promise<void>>();

  function set(next: readonly PendingChatMessage[]): void {
    entries = next;
    listeners.forEach((listener) => listener());
  }
  const change = (clientId: string, isFailed: boolean) =>
    set(entries.map((pending) => (pending.clientId === clientId ? { ...pending, isFailed } : pending)));
  const discard = (clientId: string) => set(entries.filter((pending) => pending.clientId !== clientId));

  async function deliver({ clientId }: PendingChatMessage): Promise<void> {
    const pending = entries.find((each) => each.clientId === clientId);
    if (!pending) {
      return;
    }
    try {
      const sent = await post(pending);
      onSent(sent);
      discard(clientId);
    } catch {
      change(clientId, true);
    }
  }
  function start(pending: PendingChatMessage): void {
    const before = lastDelivery.get(pending.chatId) ?? Promise.resolve();
    lastDelivery.set(
      pending.chatId,
      before.then(() => deliver(pending)),
    );
  }
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  const current = () => entries;

  return {
    /** Adds a message and sends it; an empty one is ignored. */
    send(chatId: number, text: string): void {
      const message = text.trim();
      if (message !== "") {
        const clientId = crypto.randomUUID();
        const pending = { clientId, chatId, message, createdAt: now().toISOString(), isFailed: false };
        set([...entries, pending]);
        start(pending);
      }
    },
    retry(pending: PendingChatMessage): void {
      change(pending.clientId, false);
      start(pending);
    },
    discard,
    /** The pending messages of one chat, oldest first. */
    of: (chatId: number) => entries.filter((pending) => pending.chatId === chatId),
    useOf: (chatId: number) => useSyncExternalStore(subscribe, current).filter((pending) => pending.chatId === chatId),
    clear: () => set([]),
  };
}
