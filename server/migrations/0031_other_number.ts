import { sql } from "kysely";
import type { Kysely } from "kysely";

/** The number that was linked last, where it is not the one that the line had before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connections add column pending_number text`.execute(db);
}
