import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * The indexes of claims by time, which 0036 kept for the release before it (decision 0142): every job was an entry of one of them, an eighth of
 * what enqueueing it costs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index jobs_free`.execute(db);
  await sql`drop index jobs_bound`.execute(db);
}
