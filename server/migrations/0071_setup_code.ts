import { sql } from "kysely";
import type { Kysely } from "kysely";
import { SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/** The one-time code with which the first page of an installation without an operator is opened (Z-05, decision 0237). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // one row at most, and none once there is an operator; the code follows from the seed and the installation's secret
  await sql`
    create table setup_code (
      only_one boolean primary key default true check (only_one),
      seed text not null,
      made_at timestamptz not null
    )`.execute(db);
  await sql`grant select, insert, update, delete on setup_code to ${sql.id(SYSTEM_ROLE)}`.execute(db);
}
