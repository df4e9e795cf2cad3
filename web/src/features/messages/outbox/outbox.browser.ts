import { messages } from "@prosa/contract/messages";
import { useSyncExternalStore } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { answerOf, createDatabase, inTransaction } from "#web/lib/browser/indexed-db.ts";
import { newId } from "#web/lib/browser/random.ts";
import { setUnsent } from "#web/lib/browser/unsent.ts";
import { queryClient } from "#web/lib/records/queryClient.ts";
import { call, onSignedOut } from "#web/lib/session/session.ts";
import { liveState, watch } from "#web/lib/realtime/socket.ts";
import { putMessage } from "../messages.cache.ts";
import { isReadable, unreadableFile } from "../readable-file.ts";
import { createOutbox, FinalRefusal, type OutboxEntry, type OutboxStore } from "./outbox.ts";
import { SLOW_MS, unsentOf } from "./unsent-of.ts";

/** This browser's outbox: stored in IndexedDB; one tab at a time sends to a conversation. */
export const outbox = createOutbox({
  store: createStore(),
  deliver,
  exclusively: async (ticketId, work) => {
    // old browsers have no Web Locks; the client id still keeps the server from storing a message twice
    await (navigator.locks ? navigator.locks.request(`prosa.outbox.${ticketId}`, work) : work());
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: Date.now,
  newId,
});

outbox.subscribe(tellLists);
onSignedOut(outbox.close);

let tellAgain: ReturnType<typeof setTimeout> | undefined;

/** Now, and once more when the newest entry has waited for long. */
function tellLists(): void {
  const entries = outbox.entries();
  clearTimeout(tellAgain);
  if (entries.length > 0) {
    tellAgain = setTimeout(() => setUnsent(unsentOf(entries, Date.now())), SLOW_MS);
  }
  setUnsent(unsentOf(entries, Date.now()));
}

/** Sends what was pending when the page was closed, and retries when the network is back. Returns a function that stops it. */
export function openOutbox(userId: number): () => void {
  void outbox.open(userId);
  const retry = () => void outbox.retryNow();
  // the tab that was closed may have been the one that was sending
  const onVisible = () => document.visibilityState === "visible" && retry();
  window.addEventListener("online", retry);
  document.addEventListener("visibilitychange", onVisible);
  const stop = watch(() => liveState() === "live" && retry());
  return () => {
    window.removeEventListener("online", retry);
    document.removeEventListener("visibilitychange", onVisible);
    stop();
  };
}

/** The pending messages of a conversation, oldest first. */
export function useOutbox(ticketId: number): readonly OutboxEntry[] {
  const all = useSyncExternalStore(outbox.subscribe, outbox.entries);
  return all.filter((entry) => entry.ticketId === ticketId);
}

async function deliver(
  entry: OutboxEntry,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<void> {
  const { file } = entry;
  if (file && !(await isReadable(file.blob))) {
    throw new FinalRefusal(unreadableFile);
  }
  try {
    const stored = await call(messages.send, {
      params: { ticketId: entry.ticketId },
      body: {
        body: entry.body,
        clientId: entry.clientId,
        ...(entry.quotedMsgId !== null && { quotedMsgId: entry.quotedMsgId }),
        ...(file?.isVoice && { voice: true }),
      },
      signal,
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

/** Is it a decision of the server? A network error, an overload or an expired session is not: a retry can succeed. */
function isFinal({ status, code }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429 && code !== "ERR_SESSION_EXPIRED";
}

function createStore(): OutboxStore {
  const withDatabase = createDatabase("prosa.outbox", (database) =>
    database.createObjectStore("entries", { keyPath: "clientId" }),
  );
  // a private window may forbid storage, or it is full: then the entry is kept in memory, as long as the tab lives
  const memory = new Map<string, OutboxEntry>();
  const inStore = <T>(mode: IDBTransactionMode, request: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    withDatabase((database) =>
      inTransaction(database, "entries", mode, (transaction) => answerOf(request(transaction.objectStore("entries")))),
    );
  return {
    async all() {
      const kept = await inStore<OutboxEntry[]>("readonly", (store) => store.getAll());
      return [...kept, ...memory.values()];
    },
    async put(entry) {
      try {
        await inStore("readwrite", (store) => store.put(entry));
        memory.delete(entry.clientId);
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
