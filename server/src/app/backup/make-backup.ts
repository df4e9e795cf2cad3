import { rm } from "node:fs/promises";
import { join } from "node:path";
import { secretKeys } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import type { Logger } from "#server/platform/log/index.ts";
import { openBucketOf } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { backUp } from "./back-up.ts";
import type { Backup } from "./back-up.ts";
import { uploadBackup } from "./bucket-backups.ts";
import { verifyBackup } from "./restore.ts";

export interface BackupOrder {
  readonly config: Config;
  readonly storage: Storage;
  /** As the owner of the tables. */
  readonly ownerUrl: string;
  readonly log: Logger;
  /** Undefined: the file is made in DATA_DIR and does not stay. */
  readonly folder: string | undefined;
  /** Whether it goes to BACKUP_BUCKET as well. */
  readonly toBucket: boolean;
  readonly mustVerify: boolean;
}

/** Where a file is made that only goes to the bucket or comes from it. */
export function passingFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "backups-passing");
}

/** Makes a backup, compares it in a scratch database, and brings it where it belongs. Returns it with every place it lies in. */
export async function makeBackup(order: BackupOrder, now: Date): Promise<Backup & { readonly places: string[] }> {
  const { config, storage, ownerUrl, log, folder, toBucket, mustVerify } = order;
  const { passphrase, bucket: settings } = config.backup;
  const passing = passingFolder(config);
  if (folder === undefined) {
    // What a killed process left.
    await rm(passing, { recursive: true, force: true });
  }
  const source = { url: ownerUrl, storage, keys: secretKeys(config), passphrase };
  const backup = await backUp(source, folder ?? passing, now);
  try {
    if (mustVerify) {
      await verifyBackup({ file: backup.file, passphrase, url: ownerUrl, log });
    }
    const places = folder === undefined ? [] : [backup.file];
    if (toBucket && settings !== undefined) {
      const bucket = await openBucketOf(settings);
      try {
        places.push(await uploadBackup(bucket, settings.prefix, backup.file));
      } finally {
        bucket.close();
      }
    }
    return { ...backup, places };
  } finally {
    if (folder === undefined) {
      await rm(passing, { recursive: true, force: true });
    }
  }
}
