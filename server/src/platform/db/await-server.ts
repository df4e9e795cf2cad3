import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { ConfigError } from "../config/index.ts";
import { readServerVersion } from "./roles/index.ts";

/** The oldest PostgreSQL that the tests pass on; as PostgreSQL counts, 150000 is 15.0. */
export const OLDEST_SERVER = 150_000;
/** One minute in total, for a database that starts together with this process. */
const RETRY_DELAYS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
const CONNECT_WITHIN_MS = 5_000;

const EXTENSIONS = ["btree_gin", "pg_trgm", "unaccent"];

const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "ETIMEDOUT",
]);
/** The server is starting, stopping, or out of connections. */
const TEMPORARY = new Set(["57P01", "57P02", "57P03", "53300"]);
const NO_SUCH_DATABASE = "3D000";

export interface AwaitOptions {
  readonly url: string;
  readonly log: Logger;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Resolves when the database accepts connections and is usable. Retries for a minute while it is unreachable; then, and
 * at once when a retry cannot help, throws a ConfigError about DATABASE_URL.
 */
export async function awaitServer({ url, log, pause = sleep }: AwaitOptions): Promise<void> {
  const where = targetOf(url);
  for (const ms of [...RETRY_DELAYS_MS, undefined]) {
    const problem = await findProblem(url, where, log);
    if (problem === undefined) {
      return;
    }
    if (!problem.isTemporary || ms === undefined) {
      throw new ConfigError(`DATABASE_URL: ${problem.message}`);
    }
    log.warn({ ms }, `DATABASE_URL: ${problem.message}; retrying`);
    await pause(ms);
  }
}

/** Undefined when the server version is supported. */
export function versionProblem(version: number): string | undefined {
  if (version >= OLDEST_SERVER) {
    return undefined;
  }
  const oldest = Math.floor(OLDEST_SERVER / 10_000);
  // Until PostgreSQL 9.6 a version had three numbers: 90624 is 9.6.24.
  const [major, minor] =
    version >= 100_000
      ? [Math.floor(version / 10_000), version % 10_000]
      : [Math.floor(version / 10_000), Math.floor(version / 100) % 100];
  return `is PostgreSQL ${major}.${minor}; Prosa needs ${oldest} or newer`;
}

interface ConnectionProblem {
  readonly message: string;
  readonly isTemporary: boolean;
}

async function findProblem(url: string, where: ConnectionTarget, log: Logger): Promise<ConnectionProblem | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_WITHIN_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const problem = versionProblem(await readServerVersion(client)) ?? (await missingExtensions(client));
    if (problem !== undefined) {
      return { message: `the server at ${where.server} ${problem}`, isTemporary: false };
    }
    const encoding = await encodingProblem(client, where.database);
    if (encoding?.mayWork === true) {
      log.warn(`DATABASE_URL: ${encoding.words}`);
      return undefined;
    }
    return encoding && { message: encoding.words, isTemporary: false };
  } catch (error) {
    return explain(error, where);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function missingExtensions(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    "select name from unnest($1::text[]) name where name not in (select name from pg_available_extensions)",
    [EXTENSIONS],
  );
  const names = rows.map(({ name }) => name).join(", ");
  return names === "" ? undefined : `lacks ${names}; they come with the package postgresql-contrib`;
}

/**
 * Checks encoding and case folding. Without UTF-8 some text cannot be stored; with the locale C only ASCII letters fold,
 * so that a search for "angela" does not find "Ângela".
 */
async function encodingProblem(
  client: pg.Client,
  database: string,
): Promise<{ readonly words: string; readonly mayWork: boolean } | undefined> {
  const { rows } = await client.query<{ encoding: string; is_folding: boolean }>(
    "select current_setting('server_encoding') as encoding, lower('Â') = 'â' as is_folding",
  );
  const [found] = rows;
  const remedy = `make it anew: createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8 ${database}`;
  if (found && found.encoding !== "UTF8") {
    return { words: `the database "${database}" has the encoding ${found.encoding}; ${remedy}`, mayWork: false };
  }
  return found && !found.is_folding
    ? { words: `the database "${database}" does not ignore accents and capitals in a search; ${remedy}`, mayWork: true }
    : undefined;
}

function explain(error: unknown, { server, database, user }: ConnectionTarget): ConnectionProblem {
  const { message, code = "" } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  if (error instanceof pg.DatabaseError) {
    if (code === NO_SUCH_DATABASE) {
      return {
        message: `there is no database "${database}" at ${server}; make it: createdb ${database}`,
        isTemporary: false,
      };
    }
    const mayPass = TEMPORARY.has(code);
    return { message: `the server at ${server} refuses the user "${user}": ${message}`, isTemporary: mayPass };
  }
  // A connection that is cut during the handshake: another program listens there, or the server starts or stops.
  const isUnreachable = UNREACHABLE.has(code) || /timeout|terminated/.test(message);
  return isUnreachable
    ? { message: `no database answers at ${server} (${code || message})`, isTemporary: true }
    : { message: `the server at ${server} cannot be used: ${message}`, isTemporary: false };
}

interface ConnectionTarget {
  readonly server: string;
  readonly database: string;
  readonly user: string;
}

/** Server, database and user as the driver reads the URL; without the password. */
function targetOf(url: string): ConnectionTarget {
  const { host, port, database, user } = new pg.Client({ connectionString: url });
  return { server: `${host}:${port}`, database: database ?? "", user: user ?? "" };
}

/** `host:port/database` of a URL, without user and password. */
export function databaseName(url: string): string {
  const { server, database } = targetOf(url);
  return `${server}/${database}`;
}
