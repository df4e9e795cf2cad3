/**
 * Conversations that the browser keeps (decision 0171): the last ones and the lists of the desk are painted before the
 * network answers, and are fetched again all the same. Sealed by a key of the session; gone with it.
 */
import { auth, type SessionUser } from "@prosa/contract/auth";
import type { Ticket } from "@prosa/contract/tickets";
import type { Query, QueryKey } from "@tanstack/react-query";
import { ApiError } from "#web/lib/api/apiError.ts";
import { whenIdle } from "#web/lib/browser/idle.ts";
import { queryClient } from "#web/lib/records/queryClient.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { call, currentSession } from "#web/lib/session/session.ts";
import { readStored } from "#web/lib/session/storage.ts";
import { readToken } from "#web/lib/session/token.ts";
import { readRecords, removeAllRecords, removeRecords, writeRecord, type StoredRecord } from "./kept-db.ts";
import { forgetKey, keyFromWorker, leaveKeyWithWorker } from "./kept-key.ts";
import { keptPart, kindOf, surplus, type KeptKind, type KeptRecord } from "./kept-queries.ts";
import { importKey, nameOf, seal, unseal } from "./seal.ts";

const WRITE_AFTER_MS = 1_000;
const USER = "user";
/** The hashed address of the entry script: another build may expect other fields. */
const build = import.meta.url;

interface Store {
  readonly key: CryptoKey;
  /** Records without their contents, by name. */
  readonly records: Map<string, KeptRecord>;
  readonly stop: () => void;
}

/** What is in a sealed record. */
interface Content {
  readonly queryKey: QueryKey;
  readonly data: unknown;
}

interface Opening {
  readonly sessionId: string;
  readonly user: Promise<SessionUser | undefined>;
}

let store: Store | undefined;
/** One for all who wait for it, so that the key is asked for once. */
let opening: Opening | undefined;

/** Restores what is kept with the key that survived a reload, before the server is asked; the session's user, if it was kept. */
export async function restoreAtOnce(): Promise<SessionUser | undefined> {
  const sessionId = currentSessionId();
  const key = sessionId === undefined || !isSupported() ? undefined : await keyFromWorker(sessionId);
  return sessionId === undefined || key === undefined ? undefined : open(sessionId, () => Promise.resolve(key));
}

/** The same with the key from the server, where the reload's is not there. */
export async function restoreWithServer(): Promise<void> {
  const sessionId = currentSessionId();
  if (sessionId !== undefined && isSupported()) {
    await open(sessionId, async () => (await call(auth.storeKey)).key);
  }
}

/** Keeps what this user opens from now on; returns the function that stops it. */
export function keepConversations(): () => void {
  let isStopped = false;
  let stop = () => {
    isStopped = true;
  };
  void restoreWithServer()
    .then(() => {
      if (store && !isStopped) {
        stop = follow(store);
      }
    })
    // Without a store everything is fetched as ever.
    .catch(() => undefined);
  return () => stop();
}

/** Removes everything: signed out, or the session has ended. */
export async function forgetKept(): Promise<void> {
  store?.stop();
  store = undefined;
  opening = undefined;
  forgetKey();
  if ("indexedDB" in globalThis) {
    await removeAllRecords().catch(() => undefined);
  }
}

/** Rejects where there is no key; the next one who asks tries again. */
async function open(sessionId: string, keyOf: () => Promise<string>): Promise<SessionUser | undefined> {
  if (opening?.sessionId !== sessionId) {
    const isCurrent = () => opening === mine;
    const mine: Opening = {
      sessionId,
      user: keyOf().then(
        (key) => restore(sessionId, key, isCurrent).catch(() => undefined),
        (error: unknown) => {
          opening = isCurrent() ? undefined : opening;
          throw error;
        },
      ),
    };
    opening = mine;
  }
  return opening.user;
}

/** Puts what is kept into the cache. Whoever signs out meanwhile ends it: another person may be next at this browser. */
async function restore(sessionId: string, keyText: string, isCurrent: () => boolean): Promise<SessionUser | undefined> {
  const key = await importKey(keyText);
  const stored = await readRecords();
  const tooMuch = new Set<KeptRecord>(surplus(stored, Date.now()));
  const opened = await Promise.all(
    stored.map(async (record) => {
      const isOurs = record.build === build && !tooMuch.has(record);
      return { record, content: isOurs ? ((await unseal(key, record.sealed)) as Content | undefined) : undefined };
    }),
  );
  if (!isCurrent()) {
    return undefined;
  }

  const records = new Map<string, KeptRecord>();
  const dropped: string[] = [];
  let user: SessionUser | undefined;
  opened.forEach(({ record: { name, kind, at, bytes }, content }) => {
    if (!content) {
      dropped.push(name);
      return;
    }
    records.set(name, { name, kind, at, bytes });
    if (kind === "user") {
      user = content.data as SessionUser;
    } else if (queryClient.getQueryData(content.queryKey) === undefined) {
      // Old from the start, whatever an event changes in it: shown, and fetched again as soon as it is shown.
      queryClient.setQueryData(content.queryKey, content.data, { updatedAt: 1 });
      void queryClient.invalidateQueries({ queryKey: content.queryKey, exact: true, refetchType: "none" });
    }
  });
  void removeRecords(dropped);
  store = { key, records, stop: leaveKeyWithWorker(sessionId, keyText) };
  return user?.id === Number(readStored("userId")) ? user : undefined;
}

/** Writes what changes in the cache, a second later and when the browser is idle. */
function follow(kept: Store): () => void {
  const changed = new Map<string, Query>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    const session = currentSession();
    const queries = [...changed.values()];
    changed.clear();
    timer = undefined;
    if (store === kept && session.state === "in") {
      void write(kept, "user", [USER], session.user);
      queries.forEach((query) => {
        const kind = kindOf(query.queryKey);
        if (kind && query.state.data !== undefined) {
          void write(kept, kind, query.queryKey, keptPart(query.state.data));
        }
      });
    }
  };
  const later = () => {
    timer ??= setTimeout(() => whenIdle(flush), WRITE_AFTER_MS);
  };
  const stopCache = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || kindOf(event.query.queryKey) === undefined) {
      return;
    }
    if (event.action.type === "success") {
      changed.set(event.query.queryHash, event.query);
      later();
    } else if (event.action.type === "error" && isRefusal(event.action.error)) {
      // The right to see it was lost, or it was deleted.
      const { queryHash, queryKey, state } = event.query;
      changed.delete(queryHash);
      void remove(kept, [queryKey]);
      if (kindOf(queryKey) === "ticket" && state.data !== undefined) {
        forgetConversation((state.data as Ticket).id);
      }
    }
  });
  const forgetConversation = (ticketId: number) =>
    void remove(kept, [
      ["messages", ticketId],
      ["notes", ticketId],
    ]);
  // Told while another conversation is open.
  const stopRealtime = registerRealtime({
    ticket: (event) => event.action === "delete" && forgetConversation(event.ticketId),
  });
  queryClient
    .getQueryCache()
    .findAll({ predicate: ({ queryKey, state }) => kindOf(queryKey) !== undefined && state.dataUpdatedAt > 1 })
    .forEach((query) => changed.set(query.queryHash, query));
  later();
  return () => {
    stopCache();
    stopRealtime();
    clearTimeout(timer);
  };
}

async function write(kept: Store, kind: KeptKind, queryKey: QueryKey, data: unknown): Promise<void> {
  try {
    const [name, sealed] = await Promise.all([nameOf(JSON.stringify(queryKey)), seal(kept.key, { queryKey, data })]);
    const record: StoredRecord = { name, kind, at: Date.now(), bytes: sealed.data.byteLength, sealed, build };
    if (store !== kept) {
      // signed out meanwhile
      return;
    }
    await writeRecord(record);
    kept.records.set(name, { name, kind, at: record.at, bytes: record.bytes });
    const over = surplus([...kept.records.values()], Date.now()).map((each) => each.name);
    over.forEach((each) => kept.records.delete(each));
    await removeRecords(over);
  } catch {
    // Full or blocked: it is fetched again.
  }
}

async function remove(kept: Store, queryKeys: readonly QueryKey[]): Promise<void> {
  const names = await Promise.all(queryKeys.map((queryKey) => nameOf(JSON.stringify(queryKey))));
  names.forEach((name) => kept.records.delete(name));
  await removeRecords(names).catch(() => undefined);
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 403 || error.status === 404);
}

/** On plain http in an office network there is no WebCrypto: then nothing is kept. */
function isSupported(): boolean {
  return "indexedDB" in globalThis && "subtle" in crypto;
}

function currentSessionId(): string | undefined {
  return readToken(readStored("token") ?? "")?.sessionId;
}
