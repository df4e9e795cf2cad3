import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * found_contacts() walks the names of a company of some thousand contacts: the index of trigrams has those of all companies, and
 * a name that is rare here may be common elsewhere (decision 0231).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Only its owner may replace it, and who migrates need be no more than allowed to take that role.
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`set local role prosa_system`.execute(db);
  await sql`
    create or replace function found_contacts(term text, at_most int) returns table (id int)
    language plpgsql stable parallel safe security definer set search_path = public
    as $$
    declare
      company int := nullif(current_setting('app.company_id', true), '')::int;
      pattern text := '%' || regexp_replace(folded(term), '([%_\\\\])', '\\\\\\1', 'g') || '%';
    begin
      if exists (
        select from contacts c where c.company_id = company order by c.search_text, c.id offset 4000 limit 1) then
        -- as literals: planned for the company and the text
        return query execute format(
          'select c.id from contacts c where c.company_id = %L and c.search_text like %L limit %s', company, pattern, at_most);
      else
        -- of an expression, which the index of trigrams does not know
        return query select c.id from contacts c
          where c.company_id = company and concat(c.search_text) like pattern limit at_most;
      end if;
    end $$`.execute(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
}
