import { sql } from "kysely";
import type { Kysely } from "kysely";
import { share } from "#server/platform/db/migration-helpers.ts";

/** Help videos of the installation; and whose plan it is must be quick to ask before it goes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table helps (
      id int generated always as identity primary key,
      title text not null,
      description text not null default '',
      -- its code at the video service
      video text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await share(db, "helps", { system: "all" });

  await sql`create index companies_plan on companies (plan_id)`.execute(db);
}
