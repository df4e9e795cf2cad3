import { join } from "node:path";
import type { Config, S3Settings } from "../config/index.ts";
import type { Bucket } from "./bucket.ts";
import { createLocalStorage } from "./local.ts";
import type { Storage } from "./storage.ts";

/** The file storage of an installation, for all who open it: the server, its commands, the doctor. */
export function openStorageOf({ s3, dataDir }: Pick<Config, "s3" | "dataDir">): Promise<Storage> {
  return openStorage(s3, join(dataDir, "files"));
}

/** The bucket when one is configured, else `folder` on the local disk. */
export async function openStorage(s3: S3Settings | undefined, folder: string): Promise<Storage> {
  if (!s3) {
    return createLocalStorage(folder);
  }
  // The S3 client loads slowly, so only with a bucket.
  const { createS3Storage } = await import("./s3.ts");
  return createS3Storage(s3);
}

/** A bucket by its own keys. */
export async function openBucketOf(settings: S3Settings): Promise<Bucket> {
  const { openBucket } = await import("./bucket.ts");
  return openBucket(settings);
}
