import { sql } from "kysely";
import type { Kysely } from "kysely";
import { buildIndexConcurrently, SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/**
 * The words of a company that contain a text are found by keys of company and trigram together (decision 0190). The index of 0050
 * compared the trigrams of all companies with the list of all words of the company, which grows with it.
 */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function word_trigram_keys(company_id int, word text) returns bigint[]
    language plpgsql immutable parallel safe
    as $$
    begin
      return (
        select array_agg(distinct hashtextextended(substr(word, n, 3), company_id)) from generate_series(1, length(word) - 2) n);
    end $$`.execute(db);
  await sql`grant execute on function word_trigram_keys(int, text) to prosa_app, prosa_system`.execute(db);
  await buildIndexConcurrently(
    db,
    "message_words_trigrams",
    sql`index`,
    sql`on message_words using gin (word_trigram_keys(company_id, word)) with (fastupdate = off)`,
  );
  // statistics of the expression
  await sql`analyze message_words`.execute(db);
}

/** As in 0050, but for the look-up of words. Only its owner may replace a function. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`set local role ${sql.id(SYSTEM_ROLE)}`.execute(db);
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
        select format('like %L', l) as matches,
          case when length(literal.part) > 2
            -- "concat": the index of 0050 is not asked as well
            then format('word_trigram_keys(company_id, word) @> %L::bigint[] and concat(word) like %L',
              word_trigram_keys(company, literal.part), '%' || part.longest || '%')
            else format('company_id = %s and word like %L', company, '%' || part.longest || '%') end as contains
        from unnest(likes) l, lateral (
          select part as longest from string_to_table(substr(l, 2, length(l) - 2), ' ') part
          order by length(part) desc limit 1) part,
          lateral (select regexp_replace(part.longest, '\\\\(.)', '\\1', 'g') as part) literal
      loop
        execute format('select array_agg(key) from (
          select key from message_words where %s limit %s) w',
          pattern.contains, few + 1) into keys;
        if keys is null then
          return;
        end if;
        matches := matches || format(' and x.text %s', pattern.matches);
        if cardinality(keys) <= few then
          by_words := by_words || format(' and message_word_keys(m.company_id, m.text) && %L::bigint[]', keys);
        end if;
      end loop;
      -- One or two letters begin too many words to look them up.
      matches := matches || coalesce((select string_agg(format(' and x.text ~ %L', b), '') from unnest(beginnings) b), '');
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
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
}
