import type { Readable } from "node:stream";
import type { S3Settings } from "../config/index.ts";
import { createLocalStorage } from "./local.ts";

/** Bytes `start` to `end`, both included, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  /** Bytes of the whole file. */
  readonly size: number;
}

/** Where files are kept. Keys are `company/{id}/…`; what is stored under a key never changes. */
export interface Storage {
  /** The file is there entirely or not at all. */
  put(key: string, body: Readable | Uint8Array, options: { readonly contentType: string }): Promise<StoredFile>;
  /** Rejects with StorageMiss when there is none. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  stat(key: string): Promise<StoredFile | undefined>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
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
  const isSound = /^company\/\d+(\/[\w@=+ .()-]+)+$/u.test(key) && !key.split("/").some((part) => /^\.+$/.test(part));
  if (!isSound || key.length > 512) {
    throw new Error(`Not a storage key: ${JSON.stringify(key)}`);
  }
  return key;
}

/** The bucket where one is set, else `folder` on this machine's disk. */
export async function openStorage(s3: S3Settings | undefined, folder: string): Promise<Storage> {
  if (!s3) {
    return createLocalStorage(folder);
  }
  // The client of S3 takes a while to load: only who uses it waits.
  const { createS3Storage } = await import("./s3.ts");
  return createS3Storage(s3);
}
