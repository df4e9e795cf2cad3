import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Kysely, PostgresDialect } from "kysely";
import { Migrator } from "kysely/migration";
import type { Migration } from "kysely/migration";
import pg from "pg";
import type { Logger } from "pino";
import { ensureRoles } from "./roles.ts";
import { typeParsers } from "./types.ts";

const FOLDER = path.join(import.meta.dirname, "../../../migrations");
const LOCK_NOT_AVAILABLE = "55P03";
const ATTEMPTS = 20;

/**
 * Brings the database to the newest schema, as the owner (the user of the URL). Safe from several processes at once:
 * one applies, the others wait. Gives way to running transactions: it waits 3 s for a lock, then starts over.
 */
export async function migrateToLatest({ url, log }: { url: string; log: Logger }): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 2, types: typeParsers, options: "-c lock_timeout=3s" });
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await withOwner(url, ensureRoles);
    await applyPending(db, log);
  } finally {
    await db.destroy();
  }
}

async function applyPending(db: Kysely<unknown>, log: Logger): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: loadMigrations } });
  for (let attempt = 1; ; attempt += 1) {
    const { error, results = [] } = await migrator.migrateToLatest();
    // All pending ones are one transaction: `results` may say success of a migration that a later one undid.
    if (!error) {
      log.debug({ applied: results.map((result) => result.migrationName) }, "the schema is up to date");
      return;
    }
    if (!isBusy(error) || attempt === ATTEMPTS) {
      throw error;
    }
    log.info({ attempt }, "the schema change waits for running transactions");
    await sleep(100 * attempt);
  }
}

async function loadMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{4}_.*(?<!\.test)\.[jt]s$/.test(file));
  const loaded = files.map(async (file) => {
    const migration = (await import(pathToFileURL(path.join(FOLDER, file)).href)) as Migration;
    return [path.parse(file).name, migration] as const;
  });
  return Object.fromEntries(await Promise.all(loaded));
}

function isBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}

async function withOwner(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
