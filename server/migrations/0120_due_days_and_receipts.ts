import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * The day of the month that a due date stands for, where its month was too short for it; null: the due date's own. And whom a paid
 * invoice was from and for, as its receipt said then; null on those that were paid before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table companies add column due_day smallint check (due_day between 1 and 31)`.execute(db);
  await sql`alter table invoices add column parties jsonb`.execute(db);
}
