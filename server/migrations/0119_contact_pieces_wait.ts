import { sql } from "kysely";
import type { Kysely } from "kysely";

/** The pieces of some seventy new contacts wait and are sorted in together; a search reads at most these 64 kB besides (decision 0266). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter index contacts_pieces set (fastupdate = on, gin_pending_list_limit = 64)`.execute(db);
}
