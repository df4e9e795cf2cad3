import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * found_contacts() is planned for the company and the text that it is asked for. A connection kept the plan that was best for the
 * first company that searched on it: after a small one all contacts of a large one were read (decision 0231).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Only its owner may replace it, and who migrates need be no more than allowed to take that role.
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`set local role prosa_system`.execute(db);
  await sql`
    create or replace function found_contacts(term text, at_most int) returns table (id int)
    language plpgsql stable parallel safe security definer set search_path = public
    as $$
    begin
      return query execute format(
        'select c.id from contacts c where c.company_id = %L and c.search_text like %L limit %s',
        nullif(current_setting('app.company_id', true), '')::int,
        '%' || regexp_replace(folded(term), '([%_\\\\])', '\\\\\\1', 'g') || '%', at_most);
    end $$`.execute(db);
  await sql`reset role`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
}
