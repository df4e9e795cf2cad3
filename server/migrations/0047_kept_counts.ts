import { sql } from "kysely";
import type { Kysely } from "kysely";
import { inEachCompany, protect } from "#server/platform/db/migration-helpers.ts";

/**
 * How many tickets each tag has, and how many contacts a company (decision 0181): the sum of the rows of kept_counts. Triggers
 * add rows, so that writers never wait for each other, and fold them from time to time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kept_counts (
      company_id int not null references companies on delete cascade,
      counted text not null check (counted in ('tag', 'contacts')),
      -- the tag, or 0; without a foreign key, which would have writers wait for the deletion of a tag
      of_id int not null,
      n int not null
    )`.execute(db);
  await sql`create index kept_counts_of on kept_counts (company_id, counted, of_id) include (n)`.execute(db);
  await protect(db, "kept_counts");
  await createFunctions(db);
  await createTriggers(db);
  // The triggers keep writers out until the transaction ends: nothing is counted twice or missed.
  await inEachCompany(db, async (company) => {
    await sql`
      insert into kept_counts (company_id, counted, of_id, n)
      select company_id, 'tag', tag_id, count(*) from ticket_tags group by company_id, tag_id`.execute(company);
    await sql`
      insert into kept_counts (company_id, counted, of_id, n)
      select company_id, 'contacts', 0, count(*) from contacts group by company_id`.execute(company);
  });
}

async function createFunctions(db: Kysely<unknown>) {
  // Rows of others that fold at the same moment are skipped; a reader sees the rows of before or the one of after.
  await sql`
    create function keep_count(company int, what text, id int, difference int) returns void language plpgsql as $$
    begin
      insert into kept_counts (company_id, counted, of_id, n)
      select c.id, what, keep_count.id, difference from companies c where c.id = company; -- none while it is deleted
      if (select count(*) > 50 from (
        select from kept_counts k where k.company_id = company and k.counted = what and k.of_id = keep_count.id limit 51) pile)
      then
        with pile as materialized (
          select k.ctid from kept_counts k
          where k.company_id = company and k.counted = what and k.of_id = keep_count.id for update skip locked),
        folded as (delete from kept_counts k using pile where k.ctid = pile.ctid returning k.n)
        insert into kept_counts (company_id, counted, of_id, n)
        select company, what, keep_count.id, sum(n) from folded having count(*) > 0;
      end if;
    end $$`.execute(db);
  await sql`
    create function count_tickets_of_tags() returns trigger language plpgsql as $$
    begin
      perform keep_count(c.company_id, 'tag', c.tag_id, c.n * tg_argv[0]::int)
      from (select company_id, tag_id, count(*)::int as n from changed group by company_id, tag_id) c
      join tags on tags.id = c.tag_id; -- none while the tag is deleted
      return null;
    end $$`.execute(db);
  await sql`
    create function count_contacts() returns trigger language plpgsql as $$
    begin
      perform keep_count(c.company_id, 'contacts', 0, c.n * tg_argv[0]::int)
      from (select company_id, count(*)::int as n from changed group by company_id) c;
      return null;
    end $$`.execute(db);
  await sql`
    create function forget_tags() returns trigger language plpgsql as $$
    begin
      delete from kept_counts k using changed
      where k.company_id = changed.company_id and k.counted = 'tag' and k.of_id = changed.id;
      return null;
    end $$`.execute(db);
}

async function createTriggers(db: Kysely<unknown>) {
  const count = async (table: string, work: string) => {
    await sql`
      create trigger ${sql.id(`${table}_counted`)} after insert on ${sql.table(table)}
      referencing new table as changed for each statement execute function ${sql.id(work)}('1')`.execute(db);
    await sql`
      create trigger ${sql.id(`${table}_uncounted`)} after delete on ${sql.table(table)}
      referencing old table as changed for each statement execute function ${sql.id(work)}('-1')`.execute(db);
  };
  await count("ticket_tags", "count_tickets_of_tags");
  await count("contacts", "count_contacts");
  await sql`
    create trigger tags_forgotten after delete on tags
    referencing old table as changed for each statement execute function forget_tags()`.execute(db);
}
