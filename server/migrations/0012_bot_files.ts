import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * How large the file of an option is: the bot's messages carry it. A file that a message carries stays when its option
 * goes; the index finds those few among all media.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table queue_options add column media_size int`.execute(db);
  await sql`create index media_of_options on media (storage_key) where storage_key like '%/queue-options/%'`.execute(
    db,
  );
}
