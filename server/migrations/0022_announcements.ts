import { sql } from "kysely";
import type { Kysely } from "kysely";
import { share } from "#server/platform/db/migration-helpers.ts";

/** What the operator tells all companies: everybody reads the same, the machinery writes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table announcements (
      id int generated always as identity primary key,
      title text not null,
      text text not null,
      -- 1 high, 2 medium, 3 low
      priority smallint not null default 3 check (priority between 1 and 3),
      status boolean not null default true,
      media_path text,
      media_name text,
      media_type text,
      created_at timestamptz not null default now()
    )`.execute(db);
  await share(db, "announcements", { system: "all" });
}
