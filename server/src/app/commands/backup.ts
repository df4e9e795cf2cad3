import { join, resolve } from "node:path";
import { secretKeys } from "#server/platform/config/index.ts";
import { openStorageOf } from "#server/platform/storage/index.ts";
import { backUp, verifyBackup } from "../backup/index.ts";
import { runCommand } from "./run-command.ts";
import { printLine } from "./terminal.ts";

/**
 * `npm run backup [-- --to FOLDER] [--no-verify]`: writes a backup beside a running server and restores it into a scratch database to
 * compare every table. The folder is that of BACKUP_DIR, else DATA_DIR/backups.
 */
export async function runBackup(args: readonly string[]): Promise<void> {
  await runCommand({}, async ({ config, log, ownerUrl }) => {
    const to = args.includes("--to") ? args[args.indexOf("--to") + 1] : undefined;
    const folder = resolve(to ?? config.backup.dir ?? join(config.dataDir, "backups"));
    const storage = await openStorageOf(config);
    const { passphrase } = config.backup;
    try {
      const source = { url: ownerUrl, storage, keys: secretKeys(config), passphrase };
      const { file, bytes, checks } = await backUp(source, folder, new Date());
      printLine(
        `${file}: ${megabytes(bytes)} MB, ${Object.keys(checks.tables).length} tables, ${checks.files.count} files.`,
      );
      if (passphrase === undefined) {
        printLine(
          "It is not encrypted and has no secret key: keep SECRET_KEY or DATA_DIR/secret.key in another place.",
        );
      }
      if (!args.includes("--no-verify")) {
        await verifyBackup({ file, passphrase, url: ownerUrl, log });
        printLine("Restored into a scratch database: every table is the same.");
      }
    } finally {
      await storage.close();
    }
  });
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
