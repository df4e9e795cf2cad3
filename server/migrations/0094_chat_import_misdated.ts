import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Messages of an exported chat that were left out, as their time cannot be. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table chat_imports add column misdated int not null default 0`.execute(db);
}
