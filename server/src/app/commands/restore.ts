import { resolve } from "node:path";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import { reapplyErasures } from "#server/features/privacy/index.ts";
import { refuseInUse } from "#server/platform/db/index.ts";
import { keptAfterRestoreDays, openBucketOf, openStorageOf } from "#server/platform/storage/index.ts";
import {
  acceptKeys,
  downloadBackup,
  findBucketBackup,
  isInBucket,
  openPassingFolder,
  restore,
} from "../backup/index.ts";
import { readOptions } from "./read-options.ts";
import { runOnDatabaseServer } from "./run-command.ts";
import { printLine } from "./terminal.ts";

const usage = "npm run restore -- FILE|s3:NAME|s3:latest [--embedded] [--without-secret-key]";

/**
 * `npm run restore -- FILE`, `s3:NAME` or `s3:latest` of BACKUP_BUCKET: puts a backup in the place of the database, which is kept under another name, and its files into the
 * storage. With `--embedded` it makes the embedded database where there is none: were DATABASE_URL or DATA_DIR missing, it would otherwise
 * restore into one that the server does not use. With `--without-secret-key` it restores a backup whose key is lost.
 */
export async function runRestore(args: readonly string[]): Promise<void> {
  const { values, positionals } = readOptions(args, usage, {
    allowPositionals: true,
    options: {
      embedded: { type: "boolean", default: false },
      "without-secret-key": { type: "boolean", default: false },
    },
  });
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0) {
    throw new ConfigError(`Which backup? One file, or one of BACKUP_BUCKET.\n${usage}`);
  }
  await runOnDatabaseServer({ mayCreate: values.embedded }, async ({ config, log, url }) => {
    const { file, dispose } = await fetchBackup(given, config, url);
    const storage = await openStorageOf(config);
    let isReadable = true;
    let erased = 0;
    try {
      const { head, checks, keptDatabase } = await restore(
        {
          file,
          passphrase: config.backup.passphrase,
          url,
          log,
          storage,
          acceptKeys: async (fingerprint, keys) =>
            void (isReadable = acceptKeys(config, fingerprint, keys, { mayLackKey: values["without-secret-key"] })),
          beforeSwap: async (restored) => void (erased = await reapplyErasures(url, restored)),
        },
        new Date(),
      );
      printLine(
        `Restored as of ${head.createdAt}: ${head.layout.tables.length} tables and ${checks.files.count} files, all compared.`,
      );
      if (!isReadable) {
        printLine(
          "Its secret key is not here: people sign in again, lines are linked again, and secrets in settings are entered again.",
        );
      }
      if (erased > 0) {
        printLine(
          `Erasures of contacts that the backup does not know: ${erased}. They are carried out again when Prosa runs.`,
        );
      }
      printLine(
        `The database that was here before is kept as ${keptDatabase}, and the files that only it knows for ${keptAfterRestoreDays} days; drop it when you do not need it any more.`,
      );
    } finally {
      await storage.close();
      await dispose();
    }
  });
}

/** The backup as a file of this machine; `dispose` deletes what was downloaded. `url`: of the database whose place it will take. */
async function fetchBackup(
  given: string,
  config: Config,
  url: string,
): Promise<{ file: string; dispose(): Promise<void> }> {
  if (!isInBucket(given)) {
    return { file: resolve(given), dispose: async () => undefined };
  }
  if (config.backup.bucket === undefined) {
    throw new ConfigError("BACKUP_BUCKET: not set, so there is no bucket to restore from");
  }
  const { prefix } = config.backup.bucket;
  const bucket = await openBucketOf(config.backup.bucket);
  try {
    const name = await findBucketBackup(bucket, prefix, given);
    await refuseInUse(url); // the restore refuses it as well, after a download that may take hours
    const { folder, dispose } = await openPassingFolder(config);
    try {
      return { file: await downloadBackup(bucket, prefix, name, folder), dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  } finally {
    bucket.close();
  }
}
