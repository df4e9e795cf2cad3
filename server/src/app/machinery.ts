import { join } from "node:path";
import { readConfig } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import { migrateToLatest, openDatabase, startEmbedded } from "#server/platform/db/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import { createLog } from "#server/platform/log/index.ts";
import type { Logger } from "#server/platform/log/index.ts";

export interface OpenMachinery {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  close(): Promise<void>;
}

/** Settings, log and a migrated database: what every command needs. */
export async function openMachinery(): Promise<OpenMachinery> {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel });
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: join(config.dataDir, "postgres"), log })
      : undefined;
  const url = config.databaseUrl ?? embedded?.url ?? "";
  await migrateToLatest({ url, log });

  const db = openDatabase({ url, log });
  return {
    config,
    log,
    db,
    async close() {
      await db.close();
      await embedded?.stop();
    },
  };
}
