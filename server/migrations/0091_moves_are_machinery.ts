import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Requests need not know of the sources of other companies: where a row came from is in `moved_rows`, under row-level security. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`revoke select on move_sources, move_runs from prosa_app`.execute(db);
}
