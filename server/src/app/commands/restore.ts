import { resolve } from "node:path";
import { ConfigError, existingSecretKeys, keepSecretKey } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import { reapplyErasures } from "#server/features/privacy/index.ts";
import { openBucketOf, openStorageOf } from "#server/platform/storage/index.ts";
import { downloadBackup, fingerprintOf, isInBucket, openPassingFolder, restore } from "../backup/index.ts";
import { runOnDatabaseServer } from "./run-command.ts";
import { printLine } from "./terminal.ts";

/**
 * `npm run restore -- FILE`, `s3:NAME` or `s3:latest` of BACKUP_BUCKET: puts a backup in the place of the database, which is kept under another name, and its files into the
 * storage. An embedded database is made where there is none.
 */
export async function runRestore(args: readonly string[]): Promise<void> {
  const [given] = args.filter((word) => !word.startsWith("--"));
  if (given === undefined) {
    throw new ConfigError("Which backup? npm run restore -- FILE, or s3:latest of BACKUP_BUCKET");
  }
  await runOnDatabaseServer({ mayCreate: true }, async ({ config, log, url }) => {
    const { file, dispose } = await fetchBackup(given, config);
    const storage = await openStorageOf(config);
    let erased = 0;
    try {
      const { head, checks, keptDatabase } = await restore(
        {
          file,
          passphrase: config.backup.passphrase,
          url,
          log,
          storage,
          acceptKeys: async (fingerprint, keys) => acceptKeys(config, fingerprint, keys),
          beforeSwap: async (restored) => void (erased = await reapplyErasures(url, restored)),
        },
        new Date(),
      );
      printLine(
        `Restored as of ${head.createdAt}: ${head.layout.tables.length} tables and ${checks.files.count} files, all compared.`,
      );
      if (erased > 0) {
        printLine(
          `${erased} erasures of contacts that the backup does not know are carried out again when Prosa runs.`,
        );
      }
      printLine(
        `The database that was here before is kept as ${keptDatabase}; drop it when you do not need it any more.`,
      );
    } finally {
      await storage.close();
      await dispose();
    }
  });
}

/** The backup as a file of this machine; `dispose` deletes what was downloaded. */
async function fetchBackup(given: string, config: Config): Promise<{ file: string; dispose(): Promise<void> }> {
  if (!isInBucket(given)) {
    return { file: resolve(given), dispose: async () => undefined };
  }
  if (config.backup.bucket === undefined) {
    throw new ConfigError("BACKUP_BUCKET: not set, so there is no bucket to restore from");
  }
  const bucket = await openBucketOf(config.backup.bucket);
  const { folder, dispose } = await openPassingFolder(config);
  try {
    return { file: await downloadBackup(bucket, config.backup.bucket.prefix, given, folder), dispose };
  } catch (error) {
    await dispose();
    throw error;
  } finally {
    bucket.close();
  }
}

/** Secrets of the backup must be readable afterwards: lines would have to be paired again, and nobody could tell why. */
function acceptKeys(config: Config, fingerprint: string, keys: readonly string[] | undefined): void {
  const existing = existingSecretKeys(config);
  if (existing.some((key) => fingerprintOf(key) === fingerprint)) {
    return;
  }
  const [key, ...older] = keys ?? [];
  if (existing.length === 0 && key !== undefined) {
    if (older.length > 0) {
      throw new ConfigError(
        `SECRET_KEY: the backup was made amid a change of it; set it to ${[key, ...older].join(",")}`,
      );
    }
    keepSecretKey(config.dataDir, key);
    return;
  }
  throw new ConfigError(
    existing.length === 0
      ? "SECRET_KEY: the backup does not carry it; set the one of the installation that made it, or copy its secret.key into DATA_DIR"
      : "SECRET_KEY: the backup was made with another one; add that one to the list (the first key encrypts, all decrypt)",
  );
}
