import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#server/platform/config/index.ts";
import type { Metrics } from "#server/platform/metrics/index.ts";
import { listBackups } from "./backup/index.ts";

/** Gauges of the machine, read at each scrape: room on the disk of DATA_DIR, and the age of the newest nightly backup. */
export function measureMachine({ onScrape }: Metrics, { dataDir, backup }: Pick<Config, "dataDir" | "backup">): void {
  onScrape({ name: "prosa_disk_free_bytes", help: "Free on the disk of DATA_DIR" }, async () => {
    const { bavail, bsize } = await statfs(dataDir);
    return [{ value: bavail * bsize }];
  });
  const { dir } = backup;
  onScrape(
    { name: "prosa_backup_age_seconds", help: "Age of the newest backup in BACKUP_DIR; nothing where there is none" },
    async () => {
      const newest = dir === undefined ? undefined : (await listBackups(dir)).at(-1);
      if (dir === undefined || newest === undefined) {
        return [];
      }
      return [{ value: (Date.now() - (await stat(join(dir, newest))).mtimeMs) / 1_000 }];
    },
  );
}
