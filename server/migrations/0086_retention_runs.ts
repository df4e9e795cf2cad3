import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/**
 * What a night's retention has deleted in a company and not written in its audit log yet: counted in the transactions that delete, so
 * that a kill between them and the entry loses nothing of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table retention_runs (
      company_id int primary key references companies on delete cascade,
      messages int not null check (messages > 0)
    )`.execute(db);
  await protect(db, "retention_runs");
}
