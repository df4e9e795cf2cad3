import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "../src/platform/db/migration-helpers.ts";

/** Taking in address books, and taking two contacts for one person, with a way back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_imports (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      user_id int not null references users on delete cascade,
      source text not null check (source in ('file', 'phone')),
      file_name text,
      storage_key text,
      is_book boolean not null default false,
      state text not null default 'waiting' check (state in ('waiting', 'running', 'finished', 'cancelled', 'failed')),
      failure text,
      total int not null default 0,
      done int not null default 0,
      created int not null default 0,
      known int not null default 0,
      refused int not null default 0,
      refused_rows jsonb not null default '[]',
      created_at timestamptz not null default now(),
      finished_at timestamptz
    )`.execute(db);
  await sql`create index contact_imports_latest on contact_imports (company_id, user_id, id desc)`.execute(db);
  await sql`create index contact_imports_user on contact_imports (user_id)`.execute(db);
  await protect(db, "contact_imports");

  await sql`
    create table contact_merges (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      user_id int references users on delete set null,
      kept_id int not null references contacts on delete cascade,
      gone_id int not null,
      -- what moved and what was overwritten, by id; emptied when it can no longer be taken back
      snapshot jsonb not null,
      merged_at timestamptz not null,
      undone_at timestamptz
    )`.execute(db);
  await sql`create index contact_merges_kept on contact_merges (kept_id)`.execute(db);
  await sql`create index contact_merges_age on contact_merges (merged_at)`.execute(db);
  await protect(db, "contact_merges", { system: "all" });

  // The number of a contact that was merged into another: it leads there for good, beside the one that it shows.
  await sql`alter table contact_identifiers add column is_alias boolean not null default false`.execute(db);
}
