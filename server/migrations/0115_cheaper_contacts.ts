import { sql } from "kysely";
import type { Kysely } from "kysely";

/** What a new contact costs beside its own rows (decisions 0181, 0294). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await foldByChance(db);
  // An address names its contact and its connection together with the company, which therefore exists.
  await sql`alter table contact_identifiers drop constraint contact_identifiers_company_id_fkey`.execute(db);
}

/** As in 0047, but one change in 32 folds, by chance, as of ticket_counts: looking how many rows there are read up to 50 for each change. */
async function foldByChance(db: Kysely<unknown>) {
  await sql`
    create or replace function keep_count(company int, what text, id int, difference int) returns void language plpgsql as $$
    begin
      insert into kept_counts (company_id, counted, of_id, n)
      select c.id, what, keep_count.id, difference from companies c where c.id = company; -- none while it is deleted
      if random() < 1.0 / 32 then
        with pile as materialized (
          select k.ctid from kept_counts k
          where k.company_id = company and k.counted = what and k.of_id = keep_count.id for update skip locked),
        folded as (delete from kept_counts k using pile where k.ctid = pile.ctid returning k.n)
        insert into kept_counts (company_id, counted, of_id, n)
        select company, what, keep_count.id, sum(n) from folded having count(*) > 0;
      end if;
    end $$`.execute(db);
}
