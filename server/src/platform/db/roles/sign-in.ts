import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import type { Logger } from "pino";
import { APP_ROLE, SYSTEM_ROLE } from "../migration-helpers.ts";
import { grantRole, retryOnRace } from "./roles.ts";

/** Bytes; PostgreSQL truncates longer names (NAMEDATALEN). */
const MAX_NAME_BYTES = 63;
const WRONG_PASSWORD = "28P01";

/** A pooler or pg_ident.conf maps the login to another user. */
class OtherUserError extends Error {
  override readonly name = "OtherUserError";
}

/**
 * Creates the login role of the processes and returns its URL. The role owns nothing and may only SET ROLE to the two
 * roles. The user of `url` may be a superuser, and a session that began as one can always RESET ROLE to it.
 *
 * When the server refuses to create or admit such a role (pg_hba.conf, a pooler with a list of users), returns `url` and
 * warns if its user is a superuser.
 */
export async function prepareSignIn({ url, log }: { url: string; log: Logger }): Promise<string> {
  const owner = new pg.Client({ connectionString: url });
  owner.on("error", () => undefined);
  await owner.connect();
  try {
    return await ordinaryUrl(owner, url);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError || error instanceof OtherUserError)) {
      throw error;
    }
    const { rows } = await owner.query<{ super: boolean }>(
      `select rolsuper as super from pg_roles where rolname = current_user`,
    );
    if (rows[0]?.super) {
      log.warn({ err: error }, "connected as a superuser: give DATABASE_URL an ordinary user who owns the database");
    } else {
      log.debug({ err: error }, "connected as the owner of the database");
    }
    return url;
  } finally {
    await owner.end();
  }
}

async function ordinaryUrl(owner: pg.Client, url: string): Promise<string> {
  const { rows } = await owner.query<{ database: string }>("select current_database() as database");
  const database = rows[0]?.database ?? "";
  // Roles belong to the whole server: each database (another installation) has its own role and password.
  const user = loginRoleName(database);
  const password = await readOrCreatePassword(owner);
  await retryOnRace(() => ensureLogin(owner, { user, password, database }));

  const ordinary = urlWithLogin(url, user, password);
  try {
    await verifyLogin(ordinary, user);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === WRONG_PASSWORD)) {
      throw error;
    }
    // The database was restored into a server that already has the role, with another password.
    await owner.query(`alter role ${pg.escapeIdentifier(user)} password ${pg.escapeLiteral(password)}`);
    await verifyLogin(ordinary, user);
  }
  return ordinary;
}

/**
 * Name of the login role of a database. PostgreSQL would truncate a longer name, so that databases with a common prefix
 * would share the role and overwrite its password.
 */
export function loginRoleName(database: string): string {
  const user = `prosa_login_${database}`;
  if (Buffer.byteLength(user) <= MAX_NAME_BYTES) {
    return user;
  }
  const tail = `_${createHash("sha256").update(database).digest("hex").slice(0, 16)}`;
  // Drop a character that was cut in half.
  const head = Buffer.from(user)
    .subarray(0, MAX_NAME_BYTES - tail.length)
    .toString();
  return head.replace(/\uFFFD+$/, "") + tail;
}

/** Sets user and password as query parameters, which take precedence: a URL of a Unix socket has no host to put them before. */
function urlWithLogin(url: string, user: string, password: string): string {
  const next = new URL(url);
  next.username = "";
  next.password = "";
  next.searchParams.set("user", user);
  next.searchParams.set("password", password);
  return next.href;
}

/** One password for all processes, created by the first. */
async function readOrCreatePassword(owner: pg.Client): Promise<string> {
  await owner.query("insert into database_sign_in (password) values ($1) on conflict do nothing", [
    randomBytes(24).toString("hex"),
  ]);
  const { rows } = await owner.query<{ password: string }>("select password from database_sign_in");
  return rows[0]?.password ?? "";
}

interface Login {
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

async function ensureLogin(owner: pg.Client, { user, password, database }: Login): Promise<void> {
  const name = pg.escapeIdentifier(user);
  const { rowCount: exists } = await owner.query("select from pg_roles where rolname = $1", [user]);
  if (!exists) {
    await owner.query(`create role ${name} login noinherit password ${pg.escapeLiteral(password)}`);
  }
  await grantRole(owner, APP_ROLE, user);
  await grantRole(owner, SYSTEM_ROLE, user);
  await owner.query(`grant connect on database ${pg.escapeIdentifier(database)} to ${name}`);
}

async function verifyLogin(url: string, user: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: `-c role=${APP_ROLE}` });
  client.on("error", () => undefined);
  try {
    await client.connect();
    // Cast to `name`, which truncates like the name of the role.
    const { rows } = await client.query<{ is: boolean }>("select session_user = $1::name as is", [user]);
    if (!rows[0]?.is) {
      throw new OtherUserError("the server maps the login to another user");
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}
