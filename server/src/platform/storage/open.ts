import type { S3Settings } from "../config/index.ts";
import { createLocalStorage } from "./local.ts";
import type { Storage } from "./storage.ts";

/** The bucket where one is set, else `folder` on this machine's disk. */
export async function openStorage(s3: S3Settings | undefined, folder: string): Promise<Storage> {
  if (!s3) {
    return createLocalStorage(folder);
  }
  // The client of S3 takes a while to load: only who uses it waits.
  const { createS3Storage } = await import("./s3.ts");
  return createS3Storage(s3);
}
