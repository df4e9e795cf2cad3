import { sql } from "kysely";
import type { Kysely } from "kysely";
import { APP_ROLE, buildIndexConcurrently, SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/**
 * Contacts are found by pieces of three and of four letters of their company's names and numbers (decision 0266). Trigrams of all
 * companies were too common in numbers and in a name with a number, and a search read the new contacts that its index
 * had not sorted in yet.
 */
export async function prepare(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function contact_piece_keys(company_id int, search_text text) returns bigint[]
    language plpgsql immutable parallel safe
    as $$
    begin
      return (
        select array_agg(distinct hashtextextended(substr(search_text, n, letters), company_id))
        from generate_series(3, 4) letters, generate_series(1, length(search_text) - letters + 1) n);
    end $$`.execute(db);
  await sql`
    grant execute on function contact_piece_keys(int, text) to ${sql.id(APP_ROLE)}, ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await buildIndexConcurrently(
    db,
    "contacts_pieces",
    sql`index`,
    // sorted in at once: a search reads all that is not
    sql`on contacts using gin (contact_piece_keys(company_id, search_text)) with (fastupdate = off)`,
  );
  // No plan depends on how common a piece is, and ANALYZE would compute thousands.
  await sql`alter index contacts_pieces alter column 1 set statistics 0`.execute(db);
}

/** Both functions keep their names and parameters, so the release before finds contacts by them too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Only its owner may replace a function, and who migrates need be no more than allowed to take that role.
  await sql`grant create on schema public to ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`set local role ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`
    create function contacts_containing(term text) returns text
    language plpgsql stable parallel safe set search_path = public
    as $$
    declare
      company int := nullif(current_setting('app.company_id', true), '')::int;
      text text := folded(term);
      -- the index has three letters for a text of three; of a long one sixteen pieces tell enough
      letters int := least(greatest(length(text), 3), 4);
      keys bigint[] := (
        select array_agg(hashtextextended(substr(text, n, letters), company))
        from generate_series(1, least(length(text) - letters + 1, 16)) n);
    begin
      -- literals: planned for the company and the text. "concat": of an expression, which no other index has
      return format('select c.id, c.search_text from contacts c where c.company_id = %L and concat(c.search_text) like %L',
          company, '%' || regexp_replace(text, '([%_\\\\])', '\\\\\\1', 'g') || '%')
        || case when keys is null then ''
          else format(' and contact_piece_keys(c.company_id, c.search_text) @> %L::bigint[]', keys) end;
    end $$`.execute(db);
  await sql`
    create or replace function found_contacts(term text, at_most int) returns table (id int)
    language plpgsql stable parallel safe security definer set search_path = public
    as $$
    begin
      return query execute format('select c.id from (%s limit %s) c', contacts_containing(term), at_most);
    end $$`.execute(db);
  await sql`
    create or replace function search_contacts(term text, skip int, size int, out ids int[], out matches int)
    language plpgsql stable security definer set search_path = public
    as $$
    declare
      company int := nullif(current_setting('app.company_id', true), '')::int;
      pattern text := '%' || regexp_replace(folded(term), '([%_\\\\])', '\\\\\\1', 'g') || '%';
      wanted int := skip + size + 1;
      near int;
    begin
      -- a whole number
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
        -- of an expression of the walk, which the index of pieces does not know
        select array_agg(w.id order by w.search_text, w.id), count(*) into ids, matches from (
          select walk.id, walk.search_text from (
            select c.id, c.search_text from contacts c where c.company_id = company
            order by c.search_text, c.id limit greatest(1000, least(6000, wanted * 1000 / near * 2))) walk
          where walk.search_text like pattern order by walk.search_text, walk.id limit wanted) w;
      end if;
      if coalesce(matches, 0) < wanted then
        execute format('select array_agg(id order by search_text, id), count(*) from (%s limit 2000) c',
          contacts_containing(term)) into ids, matches;
      end if;
      ids := coalesce(ids[skip + 1:skip + size], '{}');
    end $$`.execute(db);
  await sql`revoke execute on function contacts_containing(text) from public`.execute(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`drop index contacts_search`.execute(db);
}
