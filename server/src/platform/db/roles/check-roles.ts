import { ConfigError } from "../../config/index.ts";
import { APP_ROLE, SYSTEM_ROLE } from "../migration-helpers.ts";
import type { Db } from "../open-database.ts";
import type { Statement } from "../raw.ts";

const WHO: Statement<{ role: string }> = { name: "who_am_i", text: "select current_user::text as role" };

/**
 * Throws when statements do not run under the roles of the startup options. A pooler that drops startup options would let
 * every request run as the user of DATABASE_URL, without row-level security.
 */
export async function checkRoles(db: Pick<Db, "systemRaw" | "readOne">): Promise<void> {
  const found = [...(await db.systemRaw(WHO, [])), ...(await db.readOne(0, WHO, []))].map(({ role }) => role);
  if (found[0] !== SYSTEM_ROLE || found[1] !== APP_ROLE) {
    throw new ConfigError(
      `DATABASE_URL: a pooler in front of PostgreSQL drops the startup option "role" (PgBouncer with ` +
        `ignore_startup_parameters): statements run as ${found.join(" and ")}. Connect to PostgreSQL itself.`,
    );
  }
}
