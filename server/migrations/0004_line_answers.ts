import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "../src/platform/db/migration-helpers.ts";

/** Questions to a line that runs in another process: the question is a job, the answer a row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table line_answers (
      id         uuid primary key,
      company_id int not null references companies on delete cascade,
      answer     jsonb not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index line_answers_age on line_answers (created_at)`.execute(db);
  await protect(db, "line_answers", { system: "all" });

  // Credentials of an earlier round were to be forgotten, perhaps while no process ran the line.
  await sql`alter table wa_creds add column round int not null default 0`.execute(db);

  // Every commit of a line takes a share lock on its lease, so that a take-over waits for it and it fails after one.
  // PostgreSQL asks for the right to update before it lets a row be locked; nothing of the app writes here.
  await sql`grant update (leased_until) on line_leases to prosa_app`.execute(db);
}
