import { secretKeys } from "#server/platform/config/index.ts";
import type { Cron } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { backUp, deleteOldBackups } from "./back-up.ts";
import { verifyBackup } from "./restore.ts";

/**
 * A verified backup each night where BACKUP_DIR is set; then the oldest go. A failure is a dead job, which the operator sees. Nothing is
 * deleted after a failure.
 */
export function createNightlyBackup({ config, storage, log }: Services, ownerUrl: string): Cron[] {
  const { dir, hour, keep, passphrase } = config.backup;
  if (dir === undefined) {
    return [];
  }
  return [
    {
      name: "backup",
      at: { hour, minute: 10 },
      async run({ clock }) {
        const source = { url: ownerUrl, storage, keys: secretKeys(config), passphrase };
        const { file, bytes } = await backUp(source, dir, clock.now());
        await verifyBackup({ file, passphrase, url: ownerUrl, log });
        const deleted = await deleteOldBackups(dir, keep);
        log.info({ file, bytes, deleted }, "backup made and verified");
      },
    },
  ];
}
