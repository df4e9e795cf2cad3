import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * As in 0122. PostgreSQL reads the text of these functions with the settings of whoever calls them: where `standard_conforming_strings` is
 * off, the back-references of `phone_key` gave one key to all numbers without the ninth digit, and strangers one contact.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function phone_key(text) returns text language plpgsql immutable strict parallel safe cost 10
    as $$
    begin
      if $1 ~ '^55[1-9][0-9][6-9][0-9]{7}$' then
        return left($1, 4) || '9' || substr($1, 5);
      end if;
      return $1;
    end $$`.execute(db);
  await sql`
    create or replace function contact_piece_keys(company_id int, search_text text) returns bigint[]
    language plpgsql immutable parallel safe cost 1000
    as $$
    declare
      keys bigint[];
    begin
      for n in 1 .. coalesce(length(search_text), 0) - 2 loop
        keys := keys || hashtextextended(substr(search_text, n, 3), company_id)
          || hashtextextended(substr(search_text, n, 4), company_id);
      end loop;
      return keys;
    end $$`.execute(db);
}
