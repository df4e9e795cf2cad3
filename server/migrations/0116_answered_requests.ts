import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** Answers of requests that came under a key of their client, which are given again to the same request (decision 0299). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table answered_requests (
      company_id int not null references companies on delete cascade,
      -- whose key it is: user:7, key:… of the API, line:3. No foreign key: the support is a user of another company
      caller text not null,
      key text not null,
      -- POST /queue-options
      route text not null,
      -- sealed, because some answers show a secret once; null until the request's transaction ends
      answer bytea,
      created_at timestamptz not null default now(),
      primary key (company_id, caller, key)
    )`.execute(db);
  await sql`create index answered_requests_age on answered_requests (created_at)`.execute(db);
  await protect(db, "answered_requests", { system: "all" });
}
