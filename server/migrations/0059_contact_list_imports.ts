import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "#server/platform/db/migration-helpers.ts";

/** Counts, number checks and imports of contact lists (K-01, K-02, decision 0194). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // the same as matchNumber() of the contract
  await sql`
    create function match_number(text) returns text language sql immutable strict parallel safe
    return regexp_replace($1, '^55([1-9][0-9])9([6-9][0-9]{7})$', '55\\1\\2')`.execute(db);
  await sql`grant execute on function match_number(text) to prosa_app, prosa_system`.execute(db);

  await sql`
    alter table contact_lists
      add column contacts_count int not null default 0,
      add column valid_count int not null default 0,
      add column invalid_count int not null default 0,
      add column check_state text not null default 'idle' check (check_state in ('idle', 'running', 'waiting', 'failed')),
      add column duplicates_removed int not null default 0`.execute(db);
  await sql`
    alter table contact_list_items add column search_text text
      generated always as (folded(name) || ' ' || number || ' ' || lower(email)) stored`.execute(db);
  // the machinery erases companies, and the triggers count what it deletes
  await sql`create policy machinery on contact_lists to prosa_system using (true)`.execute(db);
  await sql`grant select, update on contact_lists to prosa_system`.execute(db);
  await countItems(db);

  await sql`
    create table contact_list_imports (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      contact_list_id int not null,
      user_id int,
      file_name text,
      -- the uploaded file, until the import has ended
      storage_key text,
      is_book boolean not null default false,
      state text not null default 'waiting' check (state in ('waiting', 'running', 'finished', 'cancelled', 'failed')),
      failure text,
      total int not null default 0,
      done int not null default 0,
      created int not null default 0,
      known int not null default 0,
      refused int not null default 0,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      foreign key (company_id, contact_list_id) references contact_lists (company_id, id) on delete cascade,
      foreign key (company_id, user_id) references users (company_id, id) on delete set null (user_id),
      unique (company_id, id)
    )`.execute(db);
  await sql`create index contact_list_imports_latest on contact_list_imports (company_id, contact_list_id, id desc)`.execute(
    db,
  );
  await sql`create index contact_list_imports_files on contact_list_imports (storage_key) where storage_key is not null`.execute(
    db,
  );
  await sql`create index contact_list_imports_of_user on contact_list_imports (company_id, user_id)`.execute(db);
  await protect(db, "contact_list_imports");

  await sql`
    create table contact_list_refused_rows (
      company_id int not null references companies on delete cascade,
      import_id int not null,
      line int not null,
      name text not null,
      number text not null,
      reason text not null,
      primary key (company_id, import_id, line),
      foreign key (company_id, import_id) references contact_list_imports (company_id, id) on delete cascade
    )`.execute(db);
  await protect(db, "contact_list_refused_rows");
}

/** Who changes items of a list holds the lock of its row, so the counts have no other waiters (decision 0194). */
async function countItems(db: Kysely<unknown>) {
  await sql`
    create function count_contact_list_items() returns trigger language plpgsql as $$
    begin
      update contact_lists l set
        contacts_count = l.contacts_count + c.n, valid_count = l.valid_count + c.valid,
        invalid_count = l.invalid_count + c.invalid
      from (
        select contact_list_id, sum(sign)::int as n,
          coalesce(sum(sign) filter (where is_whatsapp_valid), 0)::int as valid,
          coalesce(sum(sign) filter (where not is_whatsapp_valid), 0)::int as invalid
        from (
          select contact_list_id, is_whatsapp_valid, tg_argv[0]::int as sign from changed
        ) each_item group by contact_list_id
      ) c
      where l.id = c.contact_list_id;
      return null;
    end $$`.execute(db);
  await sql`
    create function recount_contact_list_items() returns trigger language plpgsql as $$
    begin
      update contact_lists l set
        valid_count = l.valid_count + c.valid, invalid_count = l.invalid_count + c.invalid
      from (
        select contact_list_id,
          coalesce(sum(sign) filter (where is_whatsapp_valid), 0)::int as valid,
          coalesce(sum(sign) filter (where not is_whatsapp_valid), 0)::int as invalid
        from (
          select contact_list_id, is_whatsapp_valid, 1 as sign from after_change
          union all
          select contact_list_id, is_whatsapp_valid, -1 from before_change
        ) each_item group by contact_list_id
      ) c
      where l.id = c.contact_list_id and (c.valid <> 0 or c.invalid <> 0);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger contact_list_items_counted after insert on contact_list_items
    referencing new table as changed for each statement execute function count_contact_list_items('1')`.execute(db);
  await sql`
    create trigger contact_list_items_uncounted after delete on contact_list_items
    referencing old table as changed for each statement execute function count_contact_list_items('-1')`.execute(db);
  await sql`
    create trigger contact_list_items_recounted after update on contact_list_items
    referencing old table as before_change new table as after_change
    for each statement execute function recount_contact_list_items()`.execute(db);
}
