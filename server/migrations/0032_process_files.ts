import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Processes that keep files in different places would not find each other's: they are told apart at their start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // null: a process of an older release, which did not say
  await sql`alter table processes add column files text`.execute(db);
}
