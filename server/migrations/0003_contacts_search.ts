import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Finding contacts: by any part of name or number, accents ignored; and by number, with or without Brazil's ninth digit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists unaccent schema public`.execute(db);
  await sql`create extension if not exists pg_trgm schema public`.execute(db);

  // unaccent() itself is only stable, because its dictionary could be exchanged. Both names are qualified: an index
  // function runs with an empty search path.
  await sql`
    create function folded(text) returns text language sql immutable strict parallel safe
    return public.unaccent('public.unaccent'::regdictionary, lower($1))`.execute(db);

  // WhatsApp keeps some Brazilian mobile numbers without the ninth digit that people dial. Land lines begin with 2 to 5
  // and never had it.
  await sql`
    create function phone_key(text) returns text language sql immutable strict parallel safe
    return regexp_replace($1, '^55([1-9][0-9])([6-9][0-9]{7})$', '55\\19\\2')`.execute(db);
  await sql`grant execute on function folded(text), phone_key(text) to prosa_app, prosa_system`.execute(db);

  await sql`
    alter table contacts
      add column number_key text generated always as (phone_key(number)) stored,
      add column search_text text generated always as (folded(name) || ' ' || coalesce(number, '')) stored`.execute(db);
  await sql`create unique index contacts_one_per_number on contacts (company_id, number_key)`.execute(db);
  await sql`alter table contacts drop constraint contacts_company_id_number_key`.execute(db);
  // By name as people sort it: Ângela among the A.
  await sql`drop index contacts_by_name`.execute(db);
  await sql`create index contacts_by_name on contacts (company_id, search_text, id)`.execute(db);
  await createSearch(db);
}

/**
 * Under row-level security an index serves no LIKE: an operator that is not leakproof may only see rows that the policy
 * has let through. This function runs as the machinery, whose policy lets all through, and asks for the company itself.
 */
async function createSearch(db: Kysely<unknown>) {
  await sql`create index contacts_search on contacts using gin (search_text gin_trgm_ops)`.execute(db);
  await sql`create policy search on contacts for select to prosa_system using (true)`.execute(db);
  await sql`grant select on contacts to prosa_system`.execute(db);
  await sql`
    create function found_contacts(term text, at_most int) returns table (id int)
    language sql stable parallel safe security definer set search_path = public
    as $$
      select c.id from contacts c
      where c.company_id = nullif(current_setting('app.company_id', true), '')::int
        and c.search_text like '%' || regexp_replace(folded(term), '([%_\\\\])', '\\\\\\1', 'g') || '%'
      limit at_most
    $$`.execute(db);
  await sql`grant create on schema public to prosa_system`.execute(db);
  await sql`alter function found_contacts(text, int) owner to prosa_system`.execute(db);
  await sql`revoke create on schema public from prosa_system`.execute(db);
  await sql`grant execute on function found_contacts(text, int) to prosa_app`.execute(db);
}
