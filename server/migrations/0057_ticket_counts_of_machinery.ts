import { sql } from "kysely";
import type { Kysely } from "kysely";

/** The machinery erases companies, whose counts go with them (0055), and what it changes of tickets is counted as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create policy machinery on ticket_counts to prosa_system using (true)`.execute(db);
  await sql`grant select, insert, update, delete on ticket_counts to prosa_system`.execute(db);
}
