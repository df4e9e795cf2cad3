import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * A page of the contacts whose name or number contains a text, by name (decision 0182). As found_contacts(), it runs as the
 * machinery: under row-level security an index serves no LIKE.
 *
 * Common texts are found by walking the index of names, rare ones by trigrams. `matches` is exact for the rare ones, up to
 * 2,000; of common ones it stops one behind the page.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search_contacts(term text, skip int, size int, out ids int[], out matches int)
    language plpgsql stable security definer set search_path = public
    as $$
    declare
      company int := nullif(current_setting('app.company_id', true), '')::int;
      pattern text := '%' || regexp_replace(folded(term), '([%_\\\\])', '\\\\\\1', 'g') || '%';
      wanted int := skip + size + 1;
      near int;
    begin
      -- a whole number, which the trigrams of its country and area would look for among all others
      if term ~ '^[0-9]{12,}$' then
        select array_agg(c.id) into ids from contacts c where c.company_id = company and c.number_key = phone_key(term);
        if ids is not null then
          matches := 1;
          ids := ids[skip + 1:];
          return;
        end if;
      end if;

      select count(*) into near from (
        select c.search_text from contacts c where c.company_id = company
        order by c.search_text, c.id limit 1000) first where first.search_text like pattern;
      if near >= 10 then
        -- of an expression of the walk, which the index of trigrams does not know
        select array_agg(w.id order by w.search_text, w.id), count(*) into ids, matches from (
          select walk.id, walk.search_text from (
            select c.id, c.search_text from contacts c where c.company_id = company
            order by c.search_text, c.id limit greatest(1000, least(6000, wanted * 1000 / near * 2))) walk
          where walk.search_text like pattern order by walk.search_text, walk.id limit wanted) w;
      end if;
      if coalesce(matches, 0) < wanted then
        -- as a literal: planned for the text
        execute format('select array_agg(id order by search_text, id), count(*) from (
          select c.id, c.search_text from contacts c where c.company_id = %s and c.search_text like %L limit 2000) c',
          company, pattern) into ids, matches;
      end if;
      ids := coalesce(ids[skip + 1:skip + size], '{}');
    end $$`.execute(db);
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`alter function search_contacts(text, int, int) owner to prosa_system`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
  await sql`grant execute on function search_contacts(text, int, int) to prosa_app`.execute(db);
}
