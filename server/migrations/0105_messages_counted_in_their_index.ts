import { sql } from "kysely";
import type { Kysely } from "kysely";
import { buildIndexConcurrently } from "#server/platform/db/migration-helpers.ts";

/**
 * Messages of a ticket are counted up to a thousand each time it is opened. Row-level security asks each for its company, which the index
 * did not have: a thousand rows were fetched that years of writing have laid apart. With the company in it the index answers alone.
 */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  await buildIndexConcurrently(
    db,
    "messages_in_ticket",
    sql`index`,
    sql`on messages (ticket_id, sent_at desc, id desc) include (company_id)`,
  );
}

/** The index without the company answers nothing that the new one does not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index messages_of_ticket`.execute(db);
}
