import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * A merge can be taken back although its kept contact was merged into another since, once that merge is taken back: so
 * what it remembers does not go with the contact, but with its ten minutes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table contact_merges drop constraint contact_merges_kept_id_fkey`.execute(db);
}
