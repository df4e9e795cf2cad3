import { sql } from "kysely";
import type { Kysely } from "kysely";
import { inEachCompany, protect } from "#server/platform/db/migration-helpers.ts";

/** Of the identifiers `i`; by connection, because there is no index by company. */
const isAlias = sql`i.connection_id in (select id from connections) and i.kind = 'phone' and i.is_alias`;

/**
 * The number of a contact that was merged into another leads to that one on every line, those of later included, and in either
 * spelling (decision 0075). Identifiers belong to a line and hold one spelling.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_aliases (
      company_id int not null references companies on delete cascade,
      number_key text not null,
      contact_id int not null,
      primary key (company_id, number_key),
      foreign key (company_id, contact_id) references contacts (company_id, id) on delete cascade
    )`.execute(db);
  await sql`create index contact_aliases_contact on contact_aliases (company_id, contact_id)`.execute(db);
  await protect(db, "contact_aliases");
  await inEachCompany(db, async (company) => {
    await giveBackNumbers(company);
    await sql`
      insert into contact_aliases (company_id, number_key, contact_id)
      select distinct on (phone_key(i.value)) i.company_id, phone_key(i.value), i.contact_id
      from contact_identifiers i
      where ${isAlias} and not exists (
        select from contacts o where o.company_id = i.company_id and o.number_key = phone_key(i.value))
      order by phone_key(i.value), i.contact_id desc`.execute(company);
  });
}

/** A contact that was known by its LID alone takes the number of one that was merged into it; merges before lost it. */
async function giveBackNumbers(company: Kysely<unknown>) {
  await sql`
    update contacts k set number = a.value from (
      select distinct on (phone_key(i.value)) i.company_id, i.contact_id, i.value
      from contact_identifiers i join contacts c on c.id = i.contact_id and c.number is null
      where ${isAlias} and not exists (
        select from contacts o where o.company_id = i.company_id and o.number_key = phone_key(i.value))
      order by phone_key(i.value), i.contact_id desc) a
    where k.company_id = a.company_id and k.id = a.contact_id`.execute(company);
  await sql`
    update contact_identifiers i set is_alias = false from contacts c
    where ${isAlias} and c.id = i.contact_id and c.number_key = phone_key(i.value)`.execute(company);
}
