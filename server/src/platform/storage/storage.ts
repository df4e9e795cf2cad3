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

/** What `stat` tells besides. */
export interface KeptFile extends StoredFile {
  readonly storedAt: Date;
}

/** Where files are kept. Keys are `company/{id}/…`; what is stored under a key never changes. */
export interface Storage {
  /** The file is there entirely or not at all. Answers with its size. */
  put(key: string, body: Readable | Uint8Array, options: { readonly contentType: string }): Promise<StoredFile>;
  /** Rejects with StorageMiss when there is none. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  stat(key: string): Promise<KeptFile | undefined>;
  /** The keys of one folder of a company, as they come; a file that is stored or deleted meanwhile may be among them. */
  list(companyId: number, folder: string): AsyncIterable<string>;
  /** Lets go of what uploads that broke off before this time left behind. */
  deleteStaleUploads(before: Date): Promise<void>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /** Deletes every file of a company. */
  deleteCompany(companyId: number): Promise<void>;
  /** Which place this is: the same in every process that finds what another one put here. */
  identity(): Promise<string>;
  /** Tries whether files can be kept. Throws ConfigError where only another setting helps, else what went wrong this time. */
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

/** Refuses keys that would leave their folder on a disk: they come from our code, so a bad one is a bug. */
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
