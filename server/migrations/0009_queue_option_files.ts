import { sql } from "kysely";
import type { Kysely } from "kysely";

/** What the file of an option is, by its bytes: it is sent as a picture, a sound or a document by this. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table queue_options add column media_type text`.execute(db);
}
