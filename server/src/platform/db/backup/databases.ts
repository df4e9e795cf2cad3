import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { sql } from "kysely";
import { ConfigError } from "../../config/index.ts";
import type { Db } from "../open-database.ts";

const INSUFFICIENT_PRIVILEGE = "42501";
const IN_USE = "55006";
/** Connections that we have closed may take a moment to end. */
const FREE_TRIES = 20;
const FREE_TRY_EVERY_MS = 100;
/** Between the name of a database and when another one took its place, in UTC. */
const BEFORE = "_before_";
/** PostgreSQL cuts longer names, and would cut the time off. */
const LONGEST_NAME = 63 - BEFORE.length - "20260301041000".length;

/** Connections that hold the advisory lock of a scratch database for as long as its process works with it; by the database's URL. */
const owners = new Map<string, pg.Client>();

/** Marks the database as in use until `release`, or until this process dies: PostgreSQL then lets go of the lock by itself. */
async function own(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: inDatabase(url, "postgres") });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [nameOf(url)]);
  owners.set(url, client);
}

async function release(url: string): Promise<void> {
  const client = owners.get(url);
  owners.delete(url);
  await client?.end();
}

/** Drops scratch databases whose process was killed: nobody holds their lock, and nobody is connected. */
async function dropStaleScratch(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select datname as name from pg_database where datname ~ '^prosa_(verify|restore)_[0-9a-f]{10}$' and pg_has_role(datdba, 'USAGE')",
  );
  for (const { name } of rows) {
    const taken = await client.query<{ isFree: boolean }>(
      `select pg_try_advisory_lock(hashtextextended($1, 0)) as "isFree"`,
      [name],
    );
    if (taken.rows[0]?.isFree) {
      // Without force: one that somebody is connected to stays.
      await client.query(`drop database if exists ${pg.escapeIdentifier(name)}`).catch((error: unknown) => {
        if (!(error instanceof pg.DatabaseError && error.code === IN_USE)) {
          throw error;
        }
      });
      await client.query("select pg_advisory_unlock(hashtextextended($1, 0))", [name]);
    }
  }
}

/**
 * Makes an empty database beside that of the URL, and returns its URL; `dropDatabase` or `swapDatabases` ends it. Drops those that killed
 * processes left. Throws ConfigError where the user may not.
 */
export async function createScratchDatabase(url: string, purpose: "verify" | "restore"): Promise<string> {
  const name = `prosa_${purpose}_${randomBytes(5).toString("hex")}`;
  const scratch = inDatabase(url, name);
  try {
    await onServer(url, dropStaleScratch);
    await own(scratch);
    await onServer(url, async (client) => {
      const like = await localeOf(client, nameOf(url));
      await client.query(`create database ${name} template template0 encoding 'UTF8' ${like}`);
    });
  } catch (error) {
    await release(scratch);
    if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) {
      throw new ConfigError(
        "DATABASE_URL: its user may not create databases. Let a superuser run: ALTER ROLE … CREATEDB;",
        {
          cause: error,
        },
      );
    }
    throw error;
  }
  return scratch;
}

/** How a database sorts and folds its texts: the restored one finds the same names in the same order. */
async function localeOf(client: pg.Client, database: string): Promise<string> {
  const { rows } = await client.query<{ row: Record<string, string | null> }>(
    "select to_jsonb(d) as row from pg_database d where datname = $1",
    [database],
  );
  const { datcollate, datctype, datlocprovider, datlocale, daticulocale } = rows[0]?.row ?? {};
  const literal = (text: string | null | undefined) => pg.escapeLiteral(text ?? "C.UTF-8");
  const libc = `lc_collate ${literal(datcollate)} lc_ctype ${literal(datctype)}`;
  // "i": ICU; "b": PostgreSQL's own, from 17 on.
  if (datlocprovider === "i") {
    return `${libc} locale_provider icu icu_locale ${literal(datlocale ?? daticulocale)}`;
  }
  return datlocprovider === "b" ? `${libc} locale_provider builtin builtin_locale ${literal(datlocale)}` : libc;
}

/** No error when it is gone. */
export async function dropDatabase(url: string): Promise<void> {
  const name = pg.escapeIdentifier(nameOf(url));
  await onServer(url, (client) => client.query(`drop database if exists ${name} with (force)`));
  await release(url);
}

/**
 * Gives the database of `next` the name of the one of `url`, which stays under the name that is returned. Throws ConfigError while
 * anybody is connected to either.
 */
export async function swapDatabases(url: string, next: string, now: Date): Promise<string> {
  const current = nameOf(url);
  const kept = `${current.slice(0, LONGEST_NAME)}${BEFORE}${now.toISOString().replaceAll(/\D/gu, "").slice(0, 14)}`;
  // In one transaction: killed between the two, no database would have the name.
  await onServer(url, async (client) => {
    await client.query("begin");
    await rename(client, current, kept);
    await rename(client, nameOf(next), current);
    await client.query("commit");
  });
  await release(next);
  return kept;
}

/**
 * Throws ConfigError while anybody stays connected to the database of the URL for two seconds, as `swapDatabases` would at the end of a
 * long work.
 */
export async function refuseInUse(url: string): Promise<void> {
  await onServer(url, async (client) => {
    for (let tries = 0; tries < FREE_TRIES; tries += 1) {
      // Whoever is no superuser sees of others' connections little more than their user, which vacuum has none of.
      const { rowCount } = await client.query(
        "select from pg_stat_activity where datname = $1 and usename is not null",
        [nameOf(url)],
      );
      if (rowCount === 0) {
        return;
      }
      await sleep(FREE_TRY_EVERY_MS);
    }
    throw inUse(nameOf(url));
  });
}

/** When another database last took the place of this one, of those that are still kept. */
export async function findLastSwap(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ stamp: string }>`select right(datname, 14) as stamp from pg_database
    where starts_with(datname, left(current_database(), ${LONGEST_NAME}) || ${BEFORE}) and datname ~ '_\\d{14}$'
    order by stamp desc limit 1`.execute(db.system);
  const stamp = rows[0]?.stamp.replace(/(....)(..)(..)(..)(..)(..)/u, "$1-$2-$3T$4:$5:$6Z");
  return stamp === undefined ? undefined : new Date(stamp);
}

async function rename(client: pg.Client, from: string, to: string): Promise<void> {
  try {
    await client.query(`alter database ${pg.escapeIdentifier(from)} rename to ${pg.escapeIdentifier(to)}`);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === IN_USE) {
      throw inUse(from, { cause: error });
    }
    throw error;
  }
}

function inUse(database: string, options?: ErrorOptions): ConfigError {
  return new ConfigError(
    `The database ${database} is in use. Stop every process of Prosa, then restore again.`,
    options,
  );
}

/** Runs statements as the owner in the maintenance database of a server: a database cannot be made or renamed from within. */
export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inDatabase(url, "postgres") });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function nameOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

/** The URL of another database of the same server. */
export function inDatabase(url: string, database: string): string {
  const next = new URL(url);
  next.pathname = `/${database}`;
  return next.href;
}
