import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** Archives of everything of a company, which its own administrators have made and download (decision 0261). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table company_exports (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      user_id int,
      state text not null default 'waiting' check (state in ('waiting', 'running', 'finished', 'failed', 'cancelled')),
      failure text check (failure in ('noSpace', 'erased', 'failed')),
      -- rows and files that are in the archive, of how many
      done bigint not null default 0,
      total bigint not null default 0,
      storage_key text,
      size bigint,
      requested_at timestamptz not null,
      finished_at timestamptz,
      expires_at timestamptz,
      foreign key (company_id, user_id) references users (company_id, id) on delete set null (user_id)
    )`.execute(db);
  await sql`create index company_exports_of_company on company_exports (company_id, id desc)`.execute(db);
  await sql`create index company_exports_of_user on company_exports (company_id, user_id)`.execute(db);
  await sql`create index company_exports_expiry on company_exports (expires_at) where expires_at is not null`.execute(
    db,
  );
  // One at a time: it reads everything, and its file takes as much room as all files of the company.
  await sql`create unique index company_exports_open on company_exports (company_id)
    where state in ('waiting', 'running')`.execute(db);
  await protect(db, "company_exports", { system: "read" });
}
