import { slotOf } from "#server/platform/jobs/index.ts";
import type { Cron } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { openBucketOf } from "#server/platform/storage/index.ts";
import { deleteOldBackups } from "./back-up.ts";
import { deleteOldBucketBackups } from "./bucket-backups.ts";
import { makeBackup } from "./make-backup.ts";

/**
 * A verified backup each night where BACKUP_DIR or BACKUP_BUCKET is set; then the oldest go. A failure is a dead job, which the operator
 * sees. Nothing is deleted after a failure. Where only the upload failed, the next attempt takes the file that lies in BACKUP_DIR: it is
 * good where the bucket is not, and another one at each attempt would push older ones out.
 */
export function createNightlyBackup({ config, storage, log }: Services, ownerUrl: string): Cron[] {
  const { dir, bucket: settings, hour, keep } = config.backup;
  if (dir === undefined && settings === undefined) {
    return [];
  }
  const nightly: Cron = {
    name: "backup",
    at: { hour, minute: 10 },
    async run({ clock }) {
      const now = clock.now();
      const order = { config, storage, ownerUrl, log, folder: dir, toBucket: true, mustVerify: true };
      const { places, bytes } = await makeBackup({ ...order, reuseSince: slotOf(nightly, now) }, now);
      let deleted = dir === undefined ? 0 : await deleteOldBackups(dir, keep);
      if (settings !== undefined) {
        const bucket = await openBucketOf(settings);
        try {
          deleted += await deleteOldBucketBackups(bucket, settings.prefix, keep, now);
        } finally {
          bucket.close();
        }
      }
      log.info({ places, bytes, deleted }, "backup made and verified");
    },
  };
  return [nightly];
}
