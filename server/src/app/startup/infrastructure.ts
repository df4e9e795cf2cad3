import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError, prepareDataDir, readConfig } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import {
  awaitServer,
  hasEmbedded,
  hasOtherClients,
  migrateToLatest,
  openDatabase,
  prepareSignIn,
  startEmbedded,
} from "#server/platform/db/index.ts";
import type { Db, EmbeddedDatabase } from "#server/platform/db/index.ts";
import { createLog } from "#server/platform/log/index.ts";
import type { Logger } from "#server/platform/log/index.ts";
import { recordDatabase, findRecordedDatabase } from "./data-dir-database.ts";

export interface OpenInfrastructure {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  /** Of the database, as the owner of its tables; for backups. */
  readonly ownerUrl: string;
  /** An embedded database keeps running while others are connected, and after a failed start if it ran before: another process may use it. */
  close(how?: { readonly hasFailed?: boolean }): Promise<void>;
}

export interface InfrastructureOptions {
  /** A command beside the server: it creates no database unless `mayCreate`, and leaves a running one running. */
  readonly isCommand?: boolean;
  /** Whether a command may create the embedded database. */
  readonly mayCreate?: boolean;
  /** Aborts the start; an embedded database that it started is stopped. */
  readonly signal?: AbortSignal;
}

/** Time limit for closing the pools, so that a hanging query cannot keep the embedded database running. */
const CLOSE_WITHIN_MS = 3_000;

/** Opens what every process needs: configuration, log and a migrated database. Leaves nothing running on failure. */
export async function openInfrastructure(options: InfrastructureOptions = {}): Promise<OpenInfrastructure> {
  const { config, log, url, stop } = await openDatabaseServer(options);
  try {
    const db = await unlessAborted(options.signal, openMigrated(config, url, log));
    return {
      config,
      log,
      db,
      ownerUrl: url,
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

export interface DatabaseServer {
  readonly config: Config;
  readonly log: Logger;
  /** Of the database as its owner; it may have no schema yet. */
  readonly url: string;
  stop(hasFailed: boolean): Promise<void>;
}

/** Opens the configuration, the log, and the server of the database, which is started where it is the embedded one. */
export async function openDatabaseServer(options: InfrastructureOptions = {}): Promise<DatabaseServer> {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel, roles: config.roles });
  await prepareDataDir(config, log);
  await refuseOtherDatabase(config, options);

  const embedded =
    config.databaseUrl === undefined ? await startEmbedded({ dataDir: folderOfEmbedded(config), log }) : undefined;
  const stop = async (hasFailed: boolean) =>
    embedded?.stop({ keepRunning: await mustKeepRunning(embedded, hasFailed, options) });
  const url = config.databaseUrl ?? embedded?.url ?? "";
  try {
    await unlessAborted(options.signal, awaitServer({ url, log }));
  } catch (error) {
    await stop(true);
    throw error;
  }
  return { config, log, url, stop };
}

/** Not ours alone: a backup may have begun beside a command that started the server. After a failure our own connections may be left. */
async function mustKeepRunning(
  { wasRunning, url }: EmbeddedDatabase,
  hasFailed: boolean,
  { isCommand = false }: InfrastructureOptions,
): Promise<boolean> {
  const isOfAnother = wasRunning && (hasFailed || isCommand);
  return isOfAnother || (!hasFailed && (await hasOtherClients(url).catch(() => false)));
}

/** Rejects with the signal's reason as soon as it aborts; the result of the work is then ignored. */
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

async function openMigrated(config: Config, url: string, log: Logger): Promise<Db> {
  await migrateToLatest({ url, log });
  await recordDatabase(config);
  return openDatabase({ url: await prepareSignIn({ url, log }), log, ...config.pools });
}

/** Refuses to use the embedded database where DATABASE_URL seems to be missing: that one would be empty or stale. */
async function refuseOtherDatabase(config: Config, { isCommand = false, mayCreate = false }: InfrastructureOptions) {
  if (config.databaseUrl !== undefined || mayCreate) {
    return;
  }
  const other = await findRecordedDatabase(config);
  if (other !== undefined && (isCommand || config.isProduction)) {
    throw new ConfigError(
      `DATABASE_URL: not set, but what is in ${config.dataDir} belongs to the database ${other}. ` +
        `Set DATABASE_URL to it; for a new embedded database choose another DATA_DIR.`,
    );
  }
  if (isCommand && !(await hasEmbedded(folderOfEmbedded(config)))) {
    throw new ConfigError(
      `DATABASE_URL: not set, and there is no embedded database in ${config.dataDir}. Set DATABASE_URL or DATA_DIR as ` +
        "the server has them; setup and restore make one with `-- --embedded`.",
    );
  }
}

function folderOfEmbedded(config: Config): string {
  return join(config.dataDir, "postgres");
}
