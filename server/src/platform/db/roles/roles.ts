import pg from "pg";
import { ConfigError } from "../../config/index.ts";
import { APP_ROLE, SYSTEM_ROLE } from "../migration-helpers.ts";

const ATTEMPTS = 10;
const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Creates the roles and grants them to the current user. Roles belong to the whole server, so this is not a migration: a
 * database that is restored into a new server lacks them although its migrations have run.
 */
export async function ensureRoles(client: pg.Client): Promise<void> {
  for (const role of [APP_ROLE, SYSTEM_ROLE]) {
    await retryOnRace(() => ensureRole(client, role));
  }
}

async function ensureRole(client: pg.Client, role: string): Promise<void> {
  try {
    const { rowCount: exists } = await client.query("select from pg_roles where rolname = $1", [role]);
    if (!exists) {
      await client.query(`create role ${role} nologin nosuperuser nobypassrls`);
    }
    await grantRole(client, role, await currentUser(client));
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) {
      throw new ConfigError(
        `DATABASE_URL: its user may not set up the role ${role}. Let a superuser run, once: ` +
          `CREATE ROLE ${role} NOLOGIN; GRANT ${role} TO <the user of DATABASE_URL>;`,
        { cause: error },
      );
    }
    throw error;
  }
}

/** Grants a user the right to SET ROLE, without inheriting the privileges of the role. */
export async function grantRole(client: pg.Client, role: string, user: string): Promise<void> {
  // Before PostgreSQL 16 every member may SET ROLE, and memberships have no options.
  const hasOptions = (await readServerVersion(client)) >= 160_000;
  const { rows } = await client.query<{ may: boolean }>("select pg_has_role($1, $2, $3) as may", [
    user,
    role,
    hasOptions ? "set" : "member",
  ]);
  if (!rows[0]?.may) {
    const options = hasOptions ? " with set true, inherit false" : "";
    await client.query(`grant ${role} to ${pg.escapeIdentifier(user)}${options}`);
  }
}

async function currentUser(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>("select current_user as name");
  return rows[0]?.name ?? "";
}

/** Retries when another database of the same server creates or grants the role at the same moment. */
export async function retryOnRace(run: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const isRace =
        error instanceof pg.DatabaseError &&
        (error.code === "42710" || error.code === "23505" || error.message.includes("tuple concurrently updated"));
      if (!isRace || attempt === ATTEMPTS) {
        throw error;
      }
    }
  }
}

/** server_version_num: 180004 is 18.4. */
export async function readServerVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  return rows[0]?.version ?? 0;
}
