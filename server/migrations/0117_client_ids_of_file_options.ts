import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * The id that a client makes for a new option of a file list: saved again after an answer that was lost, it is the same option. Not
 * unique, because the list is locked while its options are saved.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table file_list_options add column client_id text`.execute(db);
}
