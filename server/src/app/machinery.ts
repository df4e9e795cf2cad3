import { join } from "node:path";
import { ConfigError, prepareDataDir, readConfig } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import {
  awaitServer,
  hasEmbedded,
  migrateToLatest,
  openDatabase,
  prepareSignIn,
  startEmbedded,
} from "#server/platform/db/index.ts";
import type { Db, EmbeddedDatabase } from "#server/platform/db/index.ts";
import { createLog } from "#server/platform/log/index.ts";
import type { Logger } from "#server/platform/log/index.ts";
import { noteDatabase, otherDatabaseOf } from "./known-database.ts";

export interface OpenMachinery {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  /** After a start that failed a database that ran before goes on: it may be a neighbour's. */
  close(how?: { readonly hasFailed?: boolean }): Promise<void>;
}

export interface MachineryWishes {
  /** A command beside the server: it makes no database unless told, and leaves one running that ran before. */
  readonly isCommand?: boolean;
  /** Whether a command may make the embedded database. */
  readonly mayMake?: boolean;
}

/** Settings, log and a migrated database: what every command needs. Where that fails, nothing is left running. */
export async function openMachinery(wishes: MachineryWishes = {}): Promise<OpenMachinery> {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel, roles: config.roles });
  await prepareDataDir(config, log);
  await refuseAnotherDatabase(config, wishes);

  const embedded =
    config.databaseUrl === undefined ? await startEmbedded({ dataDir: folderOfEmbedded(config), log }) : undefined;
  const stop = async (hasFailed: boolean) =>
    embedded?.stop({ keepRunning: embedded.wasRunning && (hasFailed || wishes.isCommand === true) });
  try {
    const db = await openMigrated(config, embedded, log);
    return {
      config,
      log,
      db,
      async close({ hasFailed = false } = {}) {
        await db.close();
        await stop(hasFailed);
      },
    };
  } catch (error) {
    await stop(true);
    throw error;
  }
}

async function openMigrated(config: Config, embedded: EmbeddedDatabase | undefined, log: Logger): Promise<Db> {
  const url = config.databaseUrl ?? embedded?.url ?? "";
  await awaitServer({ url, log });
  await migrateToLatest({ url, log });
  await noteDatabase(config);
  return openDatabase({ url: await prepareSignIn({ url, log }), log, ...config.pools });
}

/** A DATABASE_URL that was forgotten must not lead to a database that is empty, or of long ago. */
async function refuseAnotherDatabase(config: Config, { isCommand = false, mayMake = false }: MachineryWishes) {
  if (config.databaseUrl !== undefined || mayMake) {
    return;
  }
  const other = await otherDatabaseOf(config);
  if (other !== undefined && (isCommand || config.isProduction)) {
    throw new ConfigError(
      `DATABASE_URL: not set, but what is in ${config.dataDir} belongs to the database ${other}. ` +
        `Set DATABASE_URL to it; for a new embedded database choose another DATA_DIR.`,
    );
  }
  if (isCommand && !(await hasEmbedded(folderOfEmbedded(config)))) {
    throw new ConfigError(
      `DATABASE_URL: not set, and there is no embedded database in ${config.dataDir}. Set DATABASE_URL or DATA_DIR as ` +
        "the server has them; `npm run setup -- --embedded` makes one.",
    );
  }
}

function folderOfEmbedded(config: Config): string {
  return join(config.dataDir, "postgres");
}
