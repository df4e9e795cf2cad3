import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import type { Logger } from "pino";
import { APP_ROLE, SYSTEM_ROLE } from "../migration-helpers.ts";
import { grantRole, retryOnRace } from "./roles.ts";

/** In bytes: PostgreSQL cuts names off there. */
const LONGEST_NAME = 63;
const WRONG_PASSWORD = "28P01";

/** A pooler or the server's pg_ident.conf makes somebody else of who signs in. */
class OtherUserError extends Error {
  override readonly name = "OtherUserError";
}

/**
 * The URL by which a process works on its migrated database: of a user of its own, who owns nothing and may only take the
 * two roles. The user of `url` may be a superuser, and a session that began as one can always become one again.
 *
 * Where the server does not let such a user be made or in (its pg_hba.conf, a pooler with a list of users), the process
 * works as the user of `url`, and says so where that is a superuser.
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
      log.warn({ err: error }, "works as a superuser: give DATABASE_URL an ordinary user who owns the database");
    } else {
      log.debug({ err: error }, "works as the owner of the database");
    }
    return url;
  } finally {
    await owner.end();
  }
}

async function ordinaryUrl(owner: pg.Client, url: string): Promise<string> {
  const { rows } = await owner.query<{ database: string }>("select current_database() as database");
  const database = rows[0]?.database ?? "";
  // Roles belong to the whole server: another database of it is another installation, with a password of its own.
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
    // The database was restored into a server that knew the role already.
    await owner.query(`alter role ${pg.escapeIdentifier(user)} password ${pg.escapeLiteral(password)}`);
    await verifyLogin(ordinary, user);
  }
  return ordinary;
}

/**
 * The role of a database. PostgreSQL would cut a longer name off, and databases that differ in their last letters would
 * share it, and change its password for each other.
 */
export function loginRoleName(database: string): string {
  const user = `prosa_login_${database}`;
  if (Buffer.byteLength(user) <= LONGEST_NAME) {
    return user;
  }
  const tail = `_${createHash("sha256").update(database).digest("hex").slice(0, 16)}`;
  // A letter that the cut went through is dropped.
  const head = Buffer.from(user)
    .subarray(0, LONGEST_NAME - tail.length)
    .toString();
  return head.replace(/\uFFFD+$/, "") + tail;
}

/** As parameters, which win over the rest: an address without a host (of a socket) has no place for them before it. */
function urlWithLogin(url: string, user: string, password: string): string {
  const next = new URL(url);
  next.username = "";
  next.password = "";
  next.searchParams.set("user", user);
  next.searchParams.set("password", password);
  return next.href;
}

/** The same for every process: made by the first. */
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
    // Of the type name, so that it is cut off as the server cut the role's.
    const { rows } = await client.query<{ is: boolean }>("select session_user = $1::name as is", [user]);
    if (!rows[0]?.is) {
      throw new OtherUserError("the server signs processes in as another user");
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}
