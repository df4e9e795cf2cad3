import { join, resolve } from "node:path";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import { openStorageOf } from "#server/platform/storage/index.ts";
import { isInBucket, makeBackup } from "../backup/index.ts";
import { readOptions } from "./read-options.ts";
import { runCommand } from "./run-command.ts";
import { printLine } from "./terminal.ts";

const usage = "npm run backup [-- --to FOLDER|s3] [--no-verify]";

/**
 * `npm run backup [-- --to FOLDER|s3] [--no-verify]`: writes a backup beside a running server and restores it into a scratch database to
 * compare every table. Without `--to` it goes where the nightly one goes: BACKUP_DIR, BACKUP_BUCKET or both, else DATA_DIR/backups.
 * Throws ConfigError for any other word, and for a `--to` that reads like a backup: one that lies elsewhere than it was told to is missed on
 * the day it is needed.
 */
export async function runBackup(args: readonly string[]): Promise<void> {
  const { values } = readOptions(args, usage, {
    options: { to: { type: "string" }, "no-verify": { type: "boolean", default: false } },
  });
  const { to, "no-verify": isUntried } = values;
  if (to !== undefined && (to === "" || isInBucket(to) || /\.(zst|age)$/u.test(to))) {
    throw new ConfigError(`--to: "${to}" names no folder\n${usage}`);
  }
  await runCommand({}, async ({ config, log, ownerUrl }) => {
    const storage = await openStorageOf(config);
    try {
      const mustVerify = !isUntried;
      const order = { config, log, ownerUrl, storage, mustVerify, ...destinationOf(to, config) };
      const { places, bytes, checks } = await makeBackup(order, new Date());
      printLine(
        `${places.join(" and ")}: ${megabytes(bytes)} MB, ${Object.keys(checks.tables).length} tables, ${checks.files.count} files.`,
      );
      if (config.backup.passphrase === undefined) {
        printLine(
          "It is not encrypted and has no secret key: keep SECRET_KEY or DATA_DIR/secret.key in another place.",
        );
      }
      if (mustVerify) {
        printLine("Restored into a scratch database: every table is the same.");
      }
    } finally {
      await storage.close();
    }
  });
}

function destinationOf(
  to: string | undefined,
  { backup, dataDir }: Config,
): { folder: string | undefined; toBucket: boolean } {
  if (to === "s3") {
    if (backup.bucket === undefined) {
      throw new ConfigError("BACKUP_BUCKET: not set, so there is no bucket to back up to");
    }
    return { folder: undefined, toBucket: true };
  }
  if (to !== undefined) {
    return { folder: resolve(to), toBucket: false };
  }
  const isElsewhere = backup.dir !== undefined || backup.bucket !== undefined;
  return { folder: isElsewhere ? backup.dir : join(dataDir, "backups"), toBucket: backup.bucket !== undefined };
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
