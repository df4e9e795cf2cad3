/** What was written here and is not on the server yet: shown at once, sent in order, kept to be tried again. */
import type { ChatMessage } from "@prosa/contract/chats";
import { useSyncExternalStore } from "react";

export interface Unsent {
  /** Goes with it each time: the server takes it once. */
  readonly clientId: string;
  readonly chatId: number;
  readonly message: string;
  readonly createdAt: string;
  readonly isFailed: boolean;
}

export interface SendingParts {
  readonly post: (unsent: Unsent) => Promise<ChatMessage>;
  readonly onSent: (message: ChatMessage) => void;
  readonly now: () => Date;
}

export function createSending({ post, onSent, now }: SendingParts) {
  let waiting: readonly Unsent[] = [];
  const listeners = new Set<() => void>();
  /** The last message of each chat on its way: the next one waits for it. */
  const ways = new Map<number, Promise<void>>();

  function set(next: readonly Unsent[]): void {
    waiting = next;
    listeners.forEach((listener) => listener());
  }
  const change = (clientId: string, isFailed: boolean) =>
    set(waiting.map((unsent) => (unsent.clientId === clientId ? { ...unsent, isFailed } : unsent)));
  const discard = (clientId: string) => set(waiting.filter((unsent) => unsent.clientId !== clientId));

  async function deliver({ clientId }: Unsent): Promise<void> {
    const unsent = waiting.find((each) => each.clientId === clientId);
    if (!unsent) {
      return;
    }
    try {
      const sent = await post(unsent);
      onSent(sent);
      discard(clientId);
    } catch {
      change(clientId, true);
    }
  }
  function start(unsent: Unsent): void {
    const before = ways.get(unsent.chatId) ?? Promise.resolve();
    ways.set(
      unsent.chatId,
      before.then(() => deliver(unsent)),
    );
  }
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  const current = () => waiting;

  return {
    /** Empty messages are not sent. */
    send(chatId: number, text: string): void {
      const message = text.trim();
      if (message !== "") {
        const clientId = crypto.randomUUID();
        const unsent = { clientId, chatId, message, createdAt: now().toISOString(), isFailed: false };
        set([...waiting, unsent]);
        start(unsent);
      }
    },
    retry(unsent: Unsent): void {
      change(unsent.clientId, false);
      start(unsent);
    },
    discard,
    /** Of one chat, in the order in which it was written. */
    of: (chatId: number) => waiting.filter((unsent) => unsent.chatId === chatId),
    useOf: (chatId: number) => useSyncExternalStore(subscribe, current).filter((unsent) => unsent.chatId === chatId),
    clear: () => set([]),
  };
}
