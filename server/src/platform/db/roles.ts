import pg from "pg";
import { APP_ROLE, SYSTEM_ROLE } from "./migration-helpers.ts";

const ATTEMPTS = 10;
const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Makes sure that the roles exist and that we may take them. Roles belong to the whole server, so this is not part
 * of a migration: a database restored into a new server finds them missing although its migrations have run.
 */
export async function ensureRoles(client: pg.Client): Promise<void> {
  for (const role of [APP_ROLE, SYSTEM_ROLE]) {
    await retryRaces(() => ensureRole(client, role));
  }
}

async function ensureRole(client: pg.Client, role: string): Promise<void> {
  try {
    const { rowCount: exists } = await client.query("select from pg_roles where rolname = $1", [role]);
    if (!exists) {
      await client.query(`create role ${role} nologin nosuperuser nobypassrls`);
    }
    const { rows } = await client.query<{ may: boolean }>("select pg_has_role(current_user, $1, 'set') as may", [role]);
    if (!rows[0]?.may) {
      await client.query(`grant ${role} to current_user with set true, inherit false`);
    }
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) {
      throw new Error(
        `The database user may not set up the role ${role}. Let a superuser run, once: ` +
          `CREATE ROLE ${role} NOLOGIN; GRANT ${role} TO <the user of DATABASE_URL> WITH SET TRUE, INHERIT FALSE;`,
        { cause: error },
      );
    }
    throw error;
  }
}

/** Two databases of one server may be migrated in the same moment. */
async function retryRaces(run: () => Promise<void>): Promise<void> {
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
