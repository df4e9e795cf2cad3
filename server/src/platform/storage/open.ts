import type { S3Settings } from "../config/index.ts";
import { createLocalStorage } from "./local.ts";
import type { Storage } from "./storage.ts";

/** The bucket when one is configured, else `folder` on the local disk. */
export async function openStorage(s3: S3Settings | undefined, folder: string): Promise<Storage> {
  if (!s3) {
    return createLocalStorage(folder);
  }
  // The S3 client loads slowly, so only with a bucket.
  const { createS3Storage } = await import("./s3.ts");
  return createS3Storage(s3);
}
