import { sql } from "kysely";
import type { Kysely } from "kysely";
import { APP_ROLE, SYSTEM_ROLE, protect, share } from "#server/platform/db/migration-helpers.ts";

/** Moving in from another system: what came from where, so that a second run adds nothing and a run can be undone (decision 0234). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table move_sources (
      id int generated always as identity primary key,
      kind text not null check (kind in ('family', 'archive', 'chat')),
      -- tells the same source again, wherever it lies
      fingerprint text not null unique,
      name text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await share(db, "move_sources", { system: "all" });

  await sql`
    create table move_runs (
      id int generated always as identity primary key,
      source_id int not null references move_sources on delete cascade,
      state text not null default 'running' check (state in ('running', 'finished', 'undone')),
      report jsonb not null default '[]',
      started_at timestamptz not null default now(),
      finished_at timestamptz
    )`.execute(db);
  await sql`create index move_runs_of_source on move_runs (source_id, id desc)`.execute(db);
  await share(db, "move_runs", { system: "all" });

  // no foreign key to the row itself: the tables differ, and a row that was deleted since does not come again
  await sql`
    create table moved_rows (
      company_id int references companies on delete cascade,
      source_id int not null references move_sources on delete cascade,
      entity text not null,
      old_id text not null,
      new_id bigint not null,
      run_id int not null references move_runs on delete cascade,
      -- false: it was there before, or became a part of another row
      is_made boolean not null,
      unique nulls not distinct (company_id, source_id, entity, old_id)
    )`.execute(db);
  await sql`create index moved_rows_of_run on moved_rows (run_id, entity, new_id)`.execute(db);
  await sql`create index moved_rows_of_source on moved_rows (source_id)`.execute(db);
  await protect(db, "moved_rows", { system: "all" });

  // Ids before the rows: rows that refer to each other are inserted in one statement, together with where they came from.
  await sql`
    create function reserve_ids(of_table text, count int) returns setof bigint
    language sql volatile security definer set search_path = public
    as $$ select nextval(pg_get_serial_sequence(format('public.%I', of_table), 'id')) from generate_series(1, count) $$`.execute(
    db,
  );
  await sql`revoke all on function reserve_ids(text, int) from public`.execute(db);
  await sql`grant execute on function reserve_ids(text, int) to ${sql.id(APP_ROLE)}, ${sql.id(SYSTEM_ROLE)}`.execute(
    db,
  );

  await sql`
    create function replace_password_hash(of_user int, proved text, renewed text) returns boolean
    language plpgsql
    as $$
    begin
      update users set password_hash = renewed where id = of_user and password_hash = proved;
      return found;
    end $$`.execute(db);

  await textsOfBatches(db);
}

/**
 * The texts that are searched, of many messages at a time: the trigger stores them row by row, which for a million takes longer than all
 * else. A transaction that sets `app.texts_later` calls the function itself.
 */
async function textsOfBatches(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function store_message_texts(ticket_ids int[], message_ids bigint[], bodies text[]) returns void
    language plpgsql security definer set search_path = public
    as $$
    declare
      company int := nullif(current_setting('app.company_id', true), '')::int;
      folded_bodies text[] := (select array_agg(folded(b) order by n) from unnest(bodies) with ordinality g (b, n));
    begin
      insert into message_texts (company_id, ticket_id, message_id, text)
      select company, g.ticket_id, g.message_id, g.body from unnest(ticket_ids, message_ids, folded_bodies) g (ticket_id, message_id, body);
      insert into message_words (company_id, key, word)
      select company, w.key, w.word from (
        select word_key(company, d.word) as key, d.word from (
          select distinct each.word from unnest(folded_bodies) body, words_of(body) each (word)) d) w
      where not exists (select from message_words m where m.key = w.key and m.word = w.word);
    end $$`.execute(db);
  // As 0016: under the role whose policies see the tables of the search.
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`alter function store_message_texts(int[], bigint[], text[]) owner to prosa_system`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
  await sql`grant execute on function store_message_texts(int[], bigint[], text[]) to ${sql.id(APP_ROLE)}`.execute(db);
  await sql`
    create or replace trigger message_text_new after insert on messages for each row
    when (new.body <> '' and current_setting('app.texts_later', true) is distinct from 'on')
    execute function follow_message_text()`.execute(db);
}
