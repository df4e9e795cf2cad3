import { messages } from "@prosa/contract/messages";
import { useSyncExternalStore } from "react";
import { ApiError } from "#web/lib/apiError.ts";
import { queryClient } from "#web/lib/queryClient.ts";
import { call } from "#web/lib/session.ts";
import { liveState, watch } from "#web/lib/socket.ts";
import { putMessage } from "./messages.cache.ts";
import { createOutbox, FinalRefusal, type OutboxEntry, type OutboxStore } from "./outbox.ts";

/** This browser's outbox: kept in IndexedDB; one tab at a time sends to a conversation. */
export const outbox = createOutbox({
  store: createStore(),
  deliver,
  exclusively: async (ticketId, work) => {
    // old browsers have no locks; the client id still keeps two tabs from storing a message twice
    await (navigator.locks ? navigator.locks.request(`prosa.outbox.${ticketId}`, work) : work());
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: Date.now,
  newId: () => crypto.randomUUID(),
});

/** A text that got no answer for so long is sent again: its connection may be one that nobody ends. */
const ANSWER_WITHIN_MS = 30_000;

/** Goes on with what waited, and follows the network and the server. Returns how to stop. */
export function openOutbox(userId: number): () => void {
  void outbox.open(userId);
  window.addEventListener("online", outbox.nudge);
  const stop = watch(() => liveState() === "live" && outbox.nudge());
  return () => {
    window.removeEventListener("online", outbox.nudge);
    stop();
  };
}

/** What of a conversation is still on its way. */
export function useOutbox(ticketId: number): readonly OutboxEntry[] {
  const all = useSyncExternalStore(outbox.subscribe, outbox.entries);
  return all.filter((entry) => entry.ticketId === ticketId);
}

async function deliver(
  entry: OutboxEntry,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<void> {
  const { file } = entry;
  try {
    const stored = await call(messages.send, {
      params: { ticketId: entry.ticketId },
      body: {
        body: entry.body,
        clientId: entry.clientId,
        ...(entry.quotedMsgId !== null && { quotedMsgId: entry.quotedMsgId }),
        ...(file?.isVoice && { voice: true }),
      },
      signal: file ? signal : AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      ...(file && { files: [new File([file.blob], file.name, { type: file.blob.type })], onProgress }),
    });
    stored.forEach((message) => putMessage(queryClient, message));
  } catch (error) {
    if (error instanceof ApiError && isFinal(error)) {
      throw new FinalRefusal(error.code);
    }
    throw error;
  }
}

/** The server has decided; the network and an overloaded server have not. */
function isFinal({ status, code }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429 && code !== "ERR_SESSION_EXPIRED";
}

function createStore(): OutboxStore {
  // a private window may forbid storage, or it is full: then the entry lives as long as the tab
  const memory = new Map<string, OutboxEntry>();
  const inStore = async <T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const database = await openDatabase();
    const request = ask(database.transaction("entries", mode).objectStore("entries"));
    return settled(request);
  };
  return {
    async all() {
      const kept = await inStore<OutboxEntry[]>("readonly", (store) => store.getAll()).catch(() => []);
      return [...kept, ...memory.values()];
    },
    async put(entry) {
      try {
        await inStore("readwrite", (store) => store.put(entry));
      } catch {
        memory.set(entry.clientId, entry);
      }
    },
    async remove(clientId) {
      memory.delete(clientId);
      await inStore("readwrite", (store) => store.delete(clientId)).catch(() => undefined);
    },
  };
}

let opened: Promise<IDBDatabase> | undefined;

function openDatabase(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("prosa.outbox", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("entries", { keyPath: "clientId" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error("No storage for the outbox", { cause: request.error }));
  });
  return opened;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error("The outbox could not be read or written", { cause: request.error }));
  });
}
