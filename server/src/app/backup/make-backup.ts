import { stat } from "node:fs/promises";
import { requireSecretKeys } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import type { Logger } from "#server/platform/log/index.ts";
import { openBucketOf } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { backUp, findBackupSince } from "./back-up.ts";
import type { Backup } from "./back-up.ts";
import { uploadBackup } from "./bucket-backups.ts";
import { openPassingFolder } from "./passing-folder.ts";
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
  /** A backup that lies in the folder since then is compared again and taken, in place of a new one. */
  readonly reuseSince?: Date;
}

/**
 * Makes a backup, compares it in a scratch database, and brings it where it belongs. Returns it with every place it lies in. Throws
 * ConfigError where the server's secret key is not here.
 */
export async function makeBackup(order: BackupOrder, now: Date): Promise<Backup & { readonly places: string[] }> {
  const { config, storage, ownerUrl, log, folder, toBucket, mustVerify, reuseSince } = order;
  const { passphrase, bucket: settings } = config.backup;
  const passing = folder === undefined ? await openPassingFolder(config) : undefined;
  const source = { url: ownerUrl, storage, keys: requireSecretKeys(config), passphrase };
  const verify = async (file: string) => verifyBackup({ file, passphrase, url: ownerUrl, log });
  const check = mustVerify ? async (file: string) => void (await verify(file)) : undefined;
  try {
    const earlier = folder && reuseSince && (await findBackupSince(folder, reuseSince));
    const backup = earlier
      ? { file: earlier, bytes: (await stat(earlier)).size, checks: await verify(earlier) }
      : await backUp(source, folder ?? passing?.folder ?? "", now, check);
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
    await passing?.dispose();
  }
}
