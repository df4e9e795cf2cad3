import { sql } from "kysely";
import type { Kysely } from "kysely";

/** A company that was deleted is out of sight at once; a job takes away what it had, however much that is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table companies add column deleted_at timestamptz`.execute(db);
}
