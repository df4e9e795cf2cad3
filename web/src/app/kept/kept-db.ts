/** The IndexedDB with the sealed records. Every function rejects where the browser has none, or blocks it. */
import type { KeptRecord } from "./kept-queries.ts";
import type { Sealed } from "./seal.ts";

export interface StoredRecord extends KeptRecord {
  readonly sealed: Sealed;
  /** The build that wrote it: another one may expect other fields. */
  readonly build: string;
}

const DATABASE = "prosa.kept";
const STORE = "records";
let opened: Promise<IDBDatabase> | undefined;

export async function readRecords(): Promise<readonly StoredRecord[]> {
  const store = await storeFor("readonly");
  return done(store.getAll() as IDBRequest<StoredRecord[]>);
}

export async function writeRecord(record: StoredRecord): Promise<void> {
  await done((await storeFor("readwrite")).put(record));
}

export async function removeRecords(names: readonly string[]): Promise<void> {
  const store = await storeFor("readwrite");
  await Promise.all(names.map((name) => done(store.delete(name))));
}

export async function removeAllRecords(): Promise<void> {
  await done((await storeFor("readwrite")).clear());
}

async function storeFor(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  opened ??= open();
  return (await opened).transaction(STORE, mode).objectStore(STORE);
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "name" });
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB failed"));
  });
}
