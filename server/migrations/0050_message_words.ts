import { sql } from "kysely";
import type { Kysely } from "kysely";
import { buildIndexConcurrently, protect, SYSTEM_ROLE } from "../src/platform/db/migration-helpers.ts";

/**
 * A search finds messages by whole words: it looks up which words of the company contain the text, then which messages contain
 * those words (decision 0186). The trigger writes the words from the beginning, the index waits for whoever wrote without
 * them, and only then are the words of the messages that exist added: none is missed, and conversations go on meanwhile.
 */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  await db.transaction().execute(createTable);
  await db.transaction().execute(createFunctions);
  await buildIndexConcurrently(
    db,
    "message_texts_words",
    sql`index`,
    // As the index before: who writes the message that fills the waiting list pays for sorting it in.
    sql`on message_texts using gin (message_word_keys(company_id, text)) with (gin_pending_list_limit = 512)`,
  );
  await inSystemRole(db, (system) =>
    sql`
      insert into message_words (company_id, key, word)
      select w.company_id, word_key(w.company_id, w.word), w.word
      from (select distinct x.company_id, w.word from message_texts x, words_of(x.text) w (word)) w
      where not exists (select from message_words m where m.key = word_key(w.company_id, w.word) and m.word = w.word)`.execute(
      system,
    ),
  );
  await sql`analyze message_words`.execute(db);
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await asSystem(db, createSearch);
}

async function createTable(db: Kysely<unknown>) {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('message_words') is not null as exists`.execute(db);
  if (rows[0]?.exists) {
    return;
  }
  // A word may have several rows: whoever writes the same new word at the same time need not wait for the other.
  await sql`
    create table message_words (
      company_id int not null references companies on delete cascade,
      key bigint not null,
      word text not null
    )`.execute(db);
  await protect(db, "message_words", { app: "read", system: "all" });
  await sql`create index message_words_key on message_words (key)`.execute(db);
  await sql`create index message_words_search on message_words using gin (company_id, word gin_trgm_ops)`.execute(db);
}

/** Names with their schema: an index is built and restored with no other in the search path. */
async function createFunctions(db: Kysely<unknown>) {
  // What a search calls a word has none of these characters. Long ones in overlapping parts: any 500 characters are in one.
  await sql`
    create or replace function words_of(text text) returns setof text language sql immutable parallel safe
    begin atomic
      select distinct part from string_to_table(translate(text, E'\\t\\n\\r', '   '), ' ') word,
        lateral (
          select word as part where length(word) <= 1000
          union all
          select substr(word, n, 1000) from generate_series(1, length(word), 500) n where length(word) > 1000) parts
      where part <> '';
    end`.execute(db);
  await sql`
    create or replace function word_key(company_id int, word text) returns bigint language sql immutable parallel safe
    return hashtextextended(word, company_id)`.execute(db);
  await sql`
    create or replace function message_word_keys(company_id int, text text) returns bigint[]
    language plpgsql immutable parallel safe
    as $$
    begin
      return (select array_agg(public.word_key(company_id, w.word)) from public.words_of(text) w (word));
    end $$`.execute(db);
  await sql`
    grant execute on function words_of(text), word_key(int, text), message_word_keys(int, text)
    to prosa_app, prosa_system`.execute(db);
  await asSystem(db, (system) =>
    sql`
      create or replace function follow_message_text() returns trigger
      language plpgsql security definer set search_path = public
      as $$
      declare
        folded_body text;
      begin
        if tg_op <> 'INSERT' then
          delete from message_texts where ticket_id = old.ticket_id and message_id = old.id;
        end if;
        if tg_op <> 'DELETE' and new.body <> '' and not new.is_deleted then
          folded_body := folded(new.body);
          insert into message_texts (company_id, ticket_id, message_id, text)
          values (new.company_id, new.ticket_id, new.id, folded_body);
          insert into message_words (company_id, key, word)
          select new.company_id, word_key(new.company_id, w.word), w.word from words_of(folded_body) w (word)
          where not exists (
            select from message_words m where m.key = word_key(new.company_id, w.word) and m.word = w.word);
        end if;
        return null;
      end $$`.execute(system),
  );
}

/**
 * As in 0016, whose parameters these are; a pattern is looked up by its longest part without a space.
 *
 * Words are for what is in few of them. The index compares each message with every key that it is asked for, so of a pattern
 * that is in many words (three common letters, the beginning of a number) the trigrams of the texts find the messages sooner.
 */
async function createSearch(db: Kysely<unknown>) {
  await sql`
    create or replace function found_messages(likes text[], beginnings text[], others text[], at_most int)
    returns table (ticket_id int, message_id bigint)
    language plpgsql stable parallel safe security definer set search_path = public set enable_seqscan = off
    set max_parallel_workers_per_gather = 0
    as $$
    declare
      company int := nullif(current_setting('app.company_id', true), '')::int;
      few int := 32;
      pattern record;
      keys bigint[];
      by_words text := '';
      matches text := '';
      source text := 'message_texts';
    begin
      for pattern in
        select format('like %L', l) as matches, format('like %L', '%' || part.longest || '%') as contains
        from unnest(likes) l, lateral (
          select part as longest from string_to_table(substr(l, 2, length(l) - 2), ' ') part
          order by length(part) desc limit 1) part
        union all
        select format('~ %L', b), format('~ %L', b) from unnest(beginnings) b
      loop
        execute format('select array_agg(key) from (
          select key from message_words where company_id = %s and word %s limit %s) w',
          company, pattern.contains, few + 1) into keys;
        if keys is null then
          return;
        end if;
        matches := matches || format(' and x.text %s', pattern.matches);
        if cardinality(keys) <= few then
          by_words := by_words || format(' and message_word_keys(m.company_id, m.text) && %L::bigint[]', keys);
        end if;
      end loop;
      if by_words <> '' then
        -- "offset 0": no other index is asked
        source := format('(select * from message_texts m where true %s offset 0)', by_words);
      end if;
      -- of an expression, which no index has
      matches := matches || coalesce(
        (select string_agg(format(' and concat(x.text) like %L', o), '') from unnest(others) o), '');
      return query execute format('select x.ticket_id, x.message_id from %s x where x.company_id = %s %s limit %s',
        source, company, matches, at_most);
    end $$`.execute(db);
}

/** Only its owner may replace a function, and who migrates need be no more than allowed to take that role. */
async function asSystem(db: Kysely<unknown>, work: (system: Kysely<unknown>) => Promise<unknown>) {
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`set local role ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await work(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
}

function inSystemRole(db: Kysely<unknown>, work: (system: Kysely<unknown>) => Promise<unknown>) {
  return db.transaction().execute(async (trx) => {
    await sql`set local role ${sql.id(SYSTEM_ROLE)}`.execute(trx);
    await work(trx);
  });
}
