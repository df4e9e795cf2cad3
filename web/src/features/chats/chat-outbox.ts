/** Chat messages that the server has not stored yet: shown at once, sent in order, kept in memory for a retry. */
import type { ChatMessage } from "@prosa/contract/chats";
import { useSyncExternalStore } from "react";
import { newId } from "#web/lib/browser/random.ts";

export interface PendingChatMessage {
  /** The same at each try: the server stores the message once. */
  readonly clientId: string;
  readonly chatId: number;
  /** Who wrote it: it is neither shown nor sent in another person's session. */
  readonly userId: number | undefined;
  readonly message: string;
  readonly createdAt: string;
  readonly isFailed: boolean;
}

export interface ChatOutboxParts {
  readonly post: (pending: PendingChatMessage) => Promise<ChatMessage>;
  readonly onSent: (message: ChatMessage) => void;
  readonly now: () => Date;
  /** Who is signed in. */
  readonly userId: () => number | undefined;
}

/** An outbox that sends the messages of each chat in order; chats do not wait for each other. */
export function createChatOutbox({ post, onSent, now, userId }: ChatOutboxParts) {
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
    // it was discarded, or its session ended while it waited for the one before
    if (!pending || pending.isFailed) {
      return;
    }
    try {
      const sent = await post(pending);
      // the cache may be the next person's by now
      if (pending.userId === userId()) {
        onSent(sent);
      }
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
  const of = (chatId: number) => entries.filter((pending) => pending.chatId === chatId && pending.userId === userId());

  return {
    /** Adds a message and sends it; an empty one is ignored. */
    send(chatId: number, text: string): void {
      const message = text.trim();
      if (message !== "") {
        const clientId = newId();
        const createdAt = now().toISOString();
        const pending = { clientId, chatId, userId: userId(), message, createdAt, isFailed: false };
        set([...entries, pending]);
        start(pending);
      }
    },
    retry(pending: PendingChatMessage): void {
      change(pending.clientId, false);
      start(pending);
    },
    discard,
    /** The user's pending messages of one chat, oldest first. */
    of,
    useOf: (chatId: number) => {
      useSyncExternalStore(subscribe, current);
      return of(chatId);
    },
    /**
     * This user's session is over: nothing more is sent, not even with the next one's token. Who signs out forgets what was unsent; it
     * waits for its writer to send it again where the session just ended.
     */
    close(isChosen: boolean, closedId: number | undefined): void {
      lastDelivery.clear();
      const kept = isChosen ? entries.filter((pending) => pending.userId !== closedId) : entries;
      set(kept.map((pending) => ({ ...pending, isFailed: true })));
    },
  };
}
