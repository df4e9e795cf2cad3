import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Kysely, PostgresDialect, PostgresIntrospector, sql } from "kysely";
import type { TableMetadata } from "kysely";
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE, Migrator } from "kysely/migration";
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
/** Key of the advisory lock of the migrator, per database. */
const MIGRATION_LOCK = 7_276_672;
const TRY_EVERY_MS = 100;
/** One log line each ten seconds, so that a stuck migrator can be found. */
const LOG_EVERY = 100;

/** Exports of a file of server/migrations. */
interface MigrationFile extends Migration {
  /** Runs before `up`, outside its transaction; must be repeatable after a failure. */
  readonly prepare?: (db: Kysely<unknown>) => Promise<void>;
}

export interface MigrateOptions {
  readonly url: string;
  readonly log: Logger;
  /** Default: the release of this process. */
  readonly release?: Release;
  /** Name of the last migration to apply, for a backup of an older schema. Default: the newest. */
  readonly upTo?: string;
  /** Whether each migration is logged at level debug only: on a scratch database it would read as one of the live database. */
  readonly isScratch?: boolean;
}

/**
 * Brings the database to the newest schema, as the owner (the user of the URL). Safe from several processes at once:
 * one applies, the others wait. Each migration is a transaction of its own with a lock_timeout of 3 s, and is retried so
 * that it does not block running transactions. On a database of the next release nothing is changed (schema-release.ts).
 */
export async function migrateToLatest(options: MigrateOptions): Promise<void> {
  const { url, log } = options;
  const owner = new pg.Client({ connectionString: url });
  owner.on("error", () => undefined);
  await owner.connect();
  try {
    await acquireMigrationLock(owner, log);
    await ensureRoles(owner);
    await applyPending(owner, options);
  } finally {
    // Releases the advisory lock.
    await owner.end();
  }
}

/** Polls for the lock: a statement that waits for it would block CREATE INDEX CONCURRENTLY. */
async function acquireMigrationLock(owner: pg.Client, log: Logger): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await owner.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [MIGRATION_LOCK]);
    if (rows[0]?.mine) {
      return;
    }
    if (attempt % LOG_EVERY === 0) {
      log.info("waiting for another process that migrates this database");
    }
    await sleep(TRY_EVERY_MS);
  }
}

async function applyPending(
  owner: pg.Client,
  { url, log, release = thisRelease, upTo, isScratch = false }: MigrateOptions,
): Promise<void> {
  const files = await loadMigrations();
  const unknown = await unknownMigrations(owner, Object.keys(files), release);
  if (unknown.length > 0) {
    log.warn({ unknown }, "database belongs to a newer release; running beside it");
    return;
  }
  await recordRelease(owner, release);

  const pool = new pg.Pool({ connectionString: url, max: 2, types: typeParsers, options: "-c lock_timeout=3s" });
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  const db = new Kysely<unknown>({ dialect: new MigratorDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => files } });
    const pending = (await migrator.getMigrations()).filter(
      ({ name, executedAt }) => executedAt === undefined && (upTo === undefined || name <= upTo),
    );
    for (const { name } of pending) {
      const began = performance.now();
      await retryWhileBusy(log, async () => {
        await files[name]?.prepare?.(db);
        const { error } = await migrator.migrateUp();
        if (error) {
          throw error;
        }
      });
      const applied = { migration: name, ms: Math.round(performance.now() - began) };
      log[isScratch ? "debug" : "info"](applied, "migration applied");
    }
  } finally {
    await db.destroy();
  }
}

/** Kysely's migrator asks twice for each migration whether its two tables are there, and else describes every column of the database. */
class MigratorDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): PostgresIntrospector {
    return new MigratorTables(db);
  }
}

class MigratorTables extends PostgresIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string; schema: string }>`
      select tablename as name, schemaname as schema from pg_tables
      where schemaname = any (current_schemas(false)) and tablename in (${DEFAULT_MIGRATION_TABLE}, ${DEFAULT_MIGRATION_LOCK_TABLE})`.execute(
      this.#db,
    );
    return rows.map((table) => ({ ...table, isView: false, isForeign: false, columns: [] }));
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
      log.info({ attempt }, "migration is waiting for running transactions");
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
