import { sql } from "kysely";
import type { Kysely } from "kysely";

/** What the file of a quick message is: its address says so to the browser, and the outbox to WhatsApp. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table quick_messages add column media_type text`.execute(db);
}
