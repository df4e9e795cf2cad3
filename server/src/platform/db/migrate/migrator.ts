import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Kysely, PostgresDialect } from "kysely";
import { Migrator } from "kysely/migration";
import type { Migration } from "kysely/migration";
import pg from "pg";
import type { Logger } from "pino";
import { thisRelease } from "../../release.ts";
import type { Release } from "../../release.ts";
import { ensureRoles } from "../roles/index.ts";
import { recordRelease, unknownMigrations } from "./schema-release.ts";
import { typeParsers } from "../pools/index.ts";

const FOLDER = path.join(import.meta.dirname, "../../../../migrations");
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK = "40P01";
const ATTEMPTS = 20;
/** The turn of whoever migrates, in this database. */
const MIGRATION_LOCK = 7_276_672;
const TRY_EVERY_MS = 100;
/** Each ten seconds: one that is stuck is to be found by whoever wonders why nothing starts. */
const LOG_EVERY = 100;

/** What a file of server/migrations exports. */
interface MigrationFile extends Migration {
  /** Runs before `up`, outside its transaction; may run again after it broke off. */
  readonly prepare?: (db: Kysely<unknown>) => Promise<void>;
}

export interface MigrateOptions {
  readonly url: string;
  readonly log: Logger;
  /** Default: what runs here. */
  readonly release?: Release;
}

/**
 * Brings the database to the newest schema, as the owner (the user of the URL). Safe from several processes at once:
 * one applies, the others wait. Each migration is a transaction of its own and gives way to running ones: it waits 3 s
 * for a lock, then starts over. On a database of the next release nothing is changed (see schema-release.ts).
 */
export async function migrateToLatest({ url, log, release = thisRelease }: MigrateOptions): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  owner.on("error", () => undefined);
  await owner.connect();
  try {
    await acquireMigrationLock(owner, log);
    await ensureRoles(owner);
    await applyPending(owner, url, log, release);
  } finally {
    // Gives the turn back.
    await owner.end();
  }
}

/** Asked for again and again: a statement that waits for it would keep indexes from being built. */
async function acquireMigrationLock(owner: pg.Client, log: Logger): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await owner.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [MIGRATION_LOCK]);
    if (rows[0]?.mine) {
      return;
    }
    if (attempt % LOG_EVERY === 0) {
      log.info("waits for another process that changes the schema of this database");
    }
    await sleep(TRY_EVERY_MS);
  }
}

async function applyPending(owner: pg.Client, url: string, log: Logger, release: Release): Promise<void> {
  const files = await loadMigrations();
  const unknown = await unknownMigrations(owner, Object.keys(files), release);
  if (unknown.length > 0) {
    log.warn({ unknown }, "the database is of a newer release; this one runs beside it");
    return;
  }
  await recordRelease(owner, release);

  const pool = new pg.Pool({ connectionString: url, max: 2, types: typeParsers, options: "-c lock_timeout=3s" });
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => files } });
    const pending = (await migrator.getMigrations()).filter(({ executedAt }) => executedAt === undefined);
    for (const { name } of pending) {
      const began = performance.now();
      await retryWhileBusy(log, async () => {
        await files[name]?.prepare?.(db);
        const { error } = await migrator.migrateUp();
        if (error) {
          throw error;
        }
      });
      log.info({ migration: name, ms: Math.round(performance.now() - began) }, "schema changed");
    }
  } finally {
    await db.destroy();
  }
}

async function retryWhileBusy(log: Logger, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || attempt === ATTEMPTS) {
        throw error;
      }
      log.info({ attempt }, "the schema change waits for running transactions");
      await sleep(100 * attempt);
    }
  }
}

async function loadMigrations(): Promise<Record<string, MigrationFile>> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{4}_.*(?<!\.test)\.[jt]s$/.test(file));
  const loaded = files.map(async (file) => {
    const migration = (await import(pathToFileURL(path.join(FOLDER, file)).href)) as MigrationFile;
    return [path.parse(file).name, migration] as const;
  });
  return Object.fromEntries(await Promise.all(loaded));
}

function isBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK);
}
