/** The IndexedDB with the sealed records. Every function rejects where the browser has none, or blocks it. */
import { answerOf, createDatabase, inTransaction } from "#web/lib/browser/indexed-db.ts";
import type { KeptRecord } from "./kept-queries.ts";
import type { Sealed } from "./seal.ts";

export interface StoredRecord extends KeptRecord {
  readonly sealed: Sealed;
  /** The build that wrote it: another one may expect other fields. */
  readonly build: string;
}

const STORE = "records";
const withDatabase = createDatabase("prosa.kept", (database) => database.createObjectStore(STORE, { keyPath: "name" }));

export function readRecords(): Promise<readonly StoredRecord[]> {
  return inStore("readonly", (store) => answerOf(store.getAll() as IDBRequest<StoredRecord[]>));
}

export async function writeRecord(record: StoredRecord): Promise<void> {
  await inStore("readwrite", (store) => answerOf(store.put(record)));
}

export async function removeRecords(names: readonly string[]): Promise<void> {
  await inStore("readwrite", (store) => Promise.all(names.map((name) => answerOf(store.delete(name)))));
}

export async function removeAllRecords(): Promise<void> {
  await inStore("readwrite", (store) => answerOf(store.clear()));
}

function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  return withDatabase((database) =>
    inTransaction(database, STORE, mode, (transaction) => work(transaction.objectStore(STORE))),
  );
}
