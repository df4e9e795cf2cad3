import { sql } from "kysely";
import type { Db } from "./open-database.ts";

/**
 * Rejects where the database does not answer or takes no writes: a former primary after a failover, a managed one whose disk is full.
 * Not a look at transaction_read_only, because a session whose statement fails leaves the pool, and one that was opened meanwhile
 * stays read only after the database is not.
 */
export async function checkWritable({ system }: Pick<Db, "system">): Promise<boolean> {
  await sql`delete from rate_limits where false`.execute(system);
  return true;
}
