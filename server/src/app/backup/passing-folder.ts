import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#server/platform/config/index.ts";
import { openPassingFolder as openFolderIn } from "#server/platform/passing-folder.ts";
import type { PassingFolder } from "#server/platform/passing-folder.ts";

/**
 * A folder in DATA_DIR where a backup is made that only goes to the bucket, or comes from it. Each has one of its own, as the nightly
 * backup and a command may run at the same time. What killed processes left is deleted.
 */
export async function openPassingFolder({ dataDir }: Pick<Config, "dataDir">): Promise<PassingFolder> {
  const all = join(dataDir, "backups-passing");
  const { folder, dispose } = await openFolderIn(all);
  return {
    folder,
    async dispose() {
      await dispose();
      // Where others are in it, it stays.
      await rmdir(all).catch(() => undefined);
    },
  };
}
