import type { Readable } from "node:stream";

/** Bytes `start` to `end`, both included, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  /** Bytes of the whole file. */
  readonly size: number;
}

/** Result of `stat`. */
export interface KeptFile extends StoredFile {
  readonly storedAt: Date;
}

export interface StoredAs {
  readonly contentType: string;
  /** Of a stream that may have more than 50 GB: a bucket takes it in larger parts, 64 MB in memory. */
  readonly isHuge?: boolean;
}

/** File storage: a folder or a bucket. Keys are `company/{id}/…`; files are immutable. */
export interface Storage {
  /** Stores the file atomically. Resolves with its size. */
  put(key: string, body: Readable | Uint8Array, options: StoredAs): Promise<StoredFile>;
  /** Rejects with StorageMiss when the file does not exist. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  stat(key: string): Promise<KeptFile | undefined>;
  /** Keys of one folder of a company, unordered; may include files that are stored or deleted meanwhile. */
  list(companyId: number, folder: string): AsyncIterable<string>;
  /** Keys of every company, for a backup; unordered as those of `list`. */
  listAll(): AsyncIterable<string>;
  /** Deletes temporary files of uploads that were interrupted before this time. */
  deleteStaleUploads(before: Date): Promise<void>;
  /** No error when the file does not exist. */
  delete(key: string): Promise<void>;
  /** Deletes every file of a company. */
  deleteCompany(companyId: number): Promise<void>;
  /** Identity of the storage: equal in all processes that share it. */
  identity(): Promise<string>;
  /** Checks that files can be stored. Throws ConfigError when the settings are wrong, else the current failure. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export class StorageMiss extends Error {
  override readonly name = "StorageMiss";
}

/** A file of a company: `company/{id}/{folder}/{name}`. */
export function storageKey(companyId: number, folder: string, name: string): string {
  return checkedKey(`company/${companyId}/${folder}/${name}`);
}

/** Throws for keys that would escape their folder. Keys come from our code, so a bad one is a bug. */
export function checkedKey(key: string): string {
  if (!isKey(key)) {
    throw new Error(`Not a storage key: ${JSON.stringify(key)}`);
  }
  return key;
}

export function isKey(text: string): boolean {
  const isSound = /^company\/\d+(\/[\w@=+ .()-]+)+$/u.test(text) && !text.split("/").some((part) => /^\.+$/.test(part));
  return isSound && text.length <= 512;
}
