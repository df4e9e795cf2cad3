import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Bucket } from "#server/platform/storage/index.ts";
import { isBackupName } from "./back-up.ts";

/** How a backup of the bucket is named on the command line: `s3:NAME`, or `s3:latest`. */
const SCHEME = "s3:";

export interface BucketBackup {
  readonly name: string;
  readonly bytes: number;
  readonly storedAt: Date;
}

export function isInBucket(given: string): boolean {
  return given.startsWith(SCHEME);
}

/** The whole backups of this installation in a bucket: those right under the prefix, the oldest first. */
export async function listBucketBackups(bucket: Bucket, prefix: string): Promise<BucketBackup[]> {
  const objects = await bucket.list(prefix);
  return objects
    .map(({ key, ...object }) => ({ ...object, name: key.slice(prefix.length) }))
    .filter(({ name }) => isBackupName(name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Uploads a backup and reads it again: what lies there has the SHA-256 of the file, or the object is deleted and this throws. */
export async function uploadBackup(bucket: Bucket, prefix: string, file: string): Promise<string> {
  const key = `${prefix}${basename(file)}`;
  await bucket.putFile(key, file);
  const [sent, stored] = await Promise.all([hashOf(createReadStream(file)), hashOf(await bucket.get(key))]);
  if (sent !== stored) {
    await bucket.delete(key);
    throw new Error(`The backup arrived in the bucket with other bytes: ${stored} instead of ${sent}`);
  }
  return `${SCHEME}${basename(file)}`;
}

/** Deletes all but the newest backups, and uploads of a process that was killed more than a day ago. Returns how many. */
export async function deleteOldBucketBackups(bucket: Bucket, prefix: string, keep: number, now: Date): Promise<number> {
  const ours = await listBucketBackups(bucket, prefix);
  const old = ours.slice(0, Math.max(0, ours.length - keep));
  for (const { name } of old) {
    await bucket.delete(`${prefix}${name}`);
  }
  await bucket.abortUploads(prefix, new Date(now.getTime() - 86_400_000));
  return old.length;
}

/** The name of the backup that `s3:NAME` or `s3:latest` is in the bucket. Throws ConfigError where there is none. */
export async function findBucketBackup(bucket: Bucket, prefix: string, given: string): Promise<string> {
  const wanted = given.slice(SCHEME.length);
  if (wanted !== "latest" && !isBackupName(wanted)) {
    throw new ConfigError(`${given}: this is not the name of a backup.`);
  }
  const names = (await listBucketBackups(bucket, prefix)).map(({ name }) => name);
  const found = wanted === "latest" ? names.at(-1) : names.find((name) => name === wanted);
  if (found === undefined) {
    throw new ConfigError(
      wanted === "latest" ? "There is no backup in the bucket." : `${given}: there is no such backup in the bucket.`,
    );
  }
  return found;
}

/** Downloads the backup of this name into the folder and returns the file; delete it afterwards. Throws StorageMiss where it is gone. */
export async function downloadBackup(bucket: Bucket, prefix: string, name: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, name);
  try {
    await pipeline(await bucket.get(`${prefix}${name}`), createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return file;
}

async function hashOf(body: NodeJS.ReadableStream): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(body, hash);
  return hash.digest("hex");
}
