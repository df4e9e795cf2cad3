import { sql } from "kysely";
import type { Kysely } from "kysely";
import { SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/**
 * Contacts are looked up by a statement that is planned once for each connection: each search planned it anew, which took three quarters of
 * a look-up that finds nobody (decision 0268). Only the index of pieces is asked, whose pieces are of one company: no plan depends on the
 * company or the text. Of one or two letters there are no pieces.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What it costs: a plan that was made while there were few contacts, and is kept, does not compute the pieces of all of them.
  await sql`alter function contact_piece_keys(int, text) cost 1000`.execute(db);
  // Only its owner may replace a function, and who migrates need be no more than allowed to take that role.
  await sql`grant create on schema public to ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`set local role ${sql.id(SYSTEM_ROLE)}`.execute(db);
  await sql`
    create or replace function found_contacts(term text, at_most int) returns table (id int)
    language plpgsql stable parallel safe security definer set search_path = public set enable_seqscan = off
    set max_parallel_workers_per_gather = 0 set plan_cache_mode = force_generic_plan
    as $$
    declare
      company int := nullif(current_setting('app.company_id', true), '')::int;
      wanted text := folded(term);
      pattern text := '%' || regexp_replace(wanted, '([%_\\\\])', '\\\\\\1', 'g') || '%';
      -- the index has three letters for a text of three; of a long one sixteen pieces tell enough
      letters int := least(greatest(length(wanted), 3), 4);
      keys bigint[] := (
        select array_agg(hashtextextended(substr(wanted, n, letters), company))
        from generate_series(1, least(length(wanted) - letters + 1, 16)) n);
    begin
      if keys is null then
        return query execute format('select c.id from (%s limit %s) c', contacts_containing(term), at_most);
      else
        -- "offset 0": no other index is asked
        return query select x.id from (
            select * from contacts c where contact_piece_keys(c.company_id, c.search_text) @> keys offset 0) x
          where x.company_id = company and x.search_text like pattern limit at_most;
      end if;
    end $$`.execute(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from ${sql.id(SYSTEM_ROLE)}`.execute(db);
}
