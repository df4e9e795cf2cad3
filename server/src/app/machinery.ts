import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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
  /** Ends the opening: a database that it started does not outlive it. */
  readonly signal?: AbortSignal;
}

/** A database that is gone, or work that hangs, must not keep the embedded one from being stopped. */
const CLOSE_WITHIN_MS = 3_000;

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
    const db = await unlessAborted(wishes.signal, openMigrated(config, embedded, log));
    return {
      config,
      log,
      db,
      async close({ hasFailed = false } = {}) {
        await Promise.race([db.close(), ...(hasFailed ? [sleep(CLOSE_WITHIN_MS, undefined, { ref: false })] : [])]);
        await stop(hasFailed);
      },
    };
  } catch (error) {
    await stop(true);
    throw error;
  }
}

/** Rejects with the signal's reason as soon as there is one; what the work still does comes to nothing. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) {
    return work;
  }
  const over = new AbortController();
  const aborted = (async () => {
    if (!signal.aborted) {
      await once(signal, "abort", { signal: over.signal });
    }
    throw signal.reason;
  })();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    over.abort();
    aborted.catch(() => undefined);
    work.catch(() => undefined);
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
