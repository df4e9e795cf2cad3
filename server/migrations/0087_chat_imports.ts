import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** Imports of WhatsApp's own exported chats into a contact's conversation (decision 0235). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chat_imports (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      contact_id int not null,
      user_id int,
      -- the author who is the company; emptied at the end, as the name of a person
      me text not null,
      storage_key text,
      source_id int not null,
      run_id int not null,
      state text not null default 'waiting' check (state in ('waiting', 'running', 'finished', 'failed')),
      failure text,
      total int not null default 0,
      done int not null default 0,
      created int not null default 0,
      known int not null default 0,
      without_file int not null default 0,
      created_at timestamptz not null,
      finished_at timestamptz,
      foreign key (company_id, contact_id) references contacts (company_id, id) on delete cascade,
      foreign key (company_id, user_id) references users (company_id, id) on delete set null (user_id)
    )`.execute(db);
  await sql`create index chat_imports_of_contact on chat_imports (company_id, contact_id, id desc)`.execute(db);
  await sql`create index chat_imports_of_user on chat_imports (company_id, user_id)`.execute(db);
  await sql`create index chat_imports_file on chat_imports (company_id, storage_key) where storage_key is not null`.execute(
    db,
  );
  await protect(db, "chat_imports");
}
