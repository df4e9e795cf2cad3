import { sql } from "kysely";
import type { Kysely } from "kysely";
import { SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/**
 * Of words that very many words contain, the index of trigrams finds the messages. Where one company has most messages of an
 * installation it is not asked for the company as well: it has all of them, and reading so long a list took four fifths of such a search
 * (decision 0291). Whether it has most is asked of some thirty messages, one of each thirtieth of the table. The rest is as in 0101.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Only its owner may replace a function, and who migrates need be no more than allowed to take that role.
  await sql`grant create on schema public to ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`set local role ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`
    create or replace function found_messages(likes text[], beginnings text[], others text[], at_most int)
    returns table (ticket_id int, message_id bigint)
    language plpgsql stable parallel safe security definer set search_path = public set enable_seqscan = off
    set max_parallel_workers_per_gather = 0 set plan_cache_mode = force_generic_plan
    as $$
    #variable_conflict use_column
    declare
      company int := nullif(current_setting('app.company_id', true), '')::int;
      few int := 32;
      contained text;
      part text;
      wanted bigint[];
      keys bigint[];
      first bigint[];
      second bigint[];
      lists int := 0;
      by_words text := '';
      matches text := '';
      source text := 'message_texts';
      owner text := 'x.company_id = %s';
      own int;
    begin
      foreach contained in array likes loop
        -- the longest part without a space; folding writes some signs as several words
        part := substr(contained, 2, length(contained) - 2);
        if strpos(part, ' ') > 0 then
          part := (select p from string_to_table(part, ' ') p order by length(p) desc limit 1);
        end if;
        -- of what is written, not of its pattern
        wanted := word_trigram_keys(company, regexp_replace(part, '\\\\(.)', '\\1', 'g'));
        if wanted is not null then
          -- "concat": the index of 0050 is not asked as well
          select array_agg(w.key) into keys from (
            select key from message_words where word_trigram_keys(company_id, word) @> wanted and concat(word) like '%' || part || '%'
            limit few + 1) w;
        else
          select array_agg(w.key) into keys from (
            select key from message_words where company_id = company and word like '%' || part || '%' limit few + 1) w;
        end if;
        if keys is null then
          return;
        end if;
        matches := matches || format(' and x.text like %L', contained);
        if cardinality(keys) <= few then
          lists := lists + 1;
          second := first;
          first := keys;
          by_words := by_words || format(' and message_word_keys(m.company_id, m.text) && %L::bigint[]', keys);
        end if;
      end loop;

      if lists = 1 then
        -- "offset 0": no other index is asked
        return query select x.ticket_id, x.message_id from (
            select * from message_texts m where message_word_keys(m.company_id, m.text) && first offset 0) x
          where x.company_id = company and x.text like all (likes) and x.text ~ all (beginnings) and x.text like all (others) limit at_most;
        return;
      elsif lists = 2 then
        return query select x.ticket_id, x.message_id from (
            select * from message_texts m
            where message_word_keys(m.company_id, m.text) && first and message_word_keys(m.company_id, m.text) && second offset 0) x
          where x.company_id = company and x.text like all (likes) and x.text ~ all (beginnings) and x.text like all (others) limit at_most;
        return;
      end if;

      -- One or two letters begin too many words to look them up.
      matches := matches || coalesce((select string_agg(format(' and x.text ~ %L', b), '') from unnest(beginnings) b), '');
      if by_words <> '' then
        source := format('(select * from message_texts m where true %s offset 0)', by_words);
      end if;
      select count(*) into own from message_texts m where m.company_id = company and m.ctid = any(array(
        select format('(%s,1)', c.relpages::bigint * n / 30)::tid from pg_class c, generate_series(0, 29) n
        where c.oid = 'message_texts'::regclass));
      if own > 15 then
        owner := 'concat(x.company_id) = %L';
      end if;
      -- "concat": of an expression, which no index has
      matches := matches || coalesce(
        (select string_agg(format(' and concat(x.text) like %L', o), '') from unnest(others) o), '');
      return query execute format('select x.ticket_id, x.message_id from %s x where %s %s limit %s',
        source, format(owner, company), matches, at_most);
    end $$`.execute(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from ${sql.id(SYSTEM_ROLE)}`.execute(db);
}
