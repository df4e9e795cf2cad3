import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import { up } from "../../../../migrations/0114_numbers_of_merged_contacts.ts";

test("the migration keeps the numbers of merged contacts for every line, each company's own (C-06)", async () => {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const owner = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const rows = async <Row>(text: string) => (await sql.raw<Row>(text).execute(owner)).rows;
  try {
    const companies: number[] = [];
    for (const name of ["one", "two"]) {
      const [{ id: company } = { id: 0 }] = await rows<{ id: number }>(
        `insert into companies (name) values ('${name}') returning id`,
      );
      companies.push(company);
      await rows(`
        with line as (insert into connections (company_id, name) values (${company}, 'line') returning id),
        people as (
          insert into contacts (company_id, name, number)
          values (${company}, 'Ana', '5511987650001'), (${company}, 'By LID', null), (${company}, 'Taken', '5511987650003') returning id, name),
        known (name, kind, value, is_alias) as (values
          ('Ana', 'phone', '5511987650001', false), ('Ana', 'phone', '5511987650002', true), ('Ana', 'phone', '551187650003', true),
          ('By LID', 'lid', '77', false), ('By LID', 'phone', '5511987650004', true))
        insert into contact_identifiers (company_id, connection_id, kind, value, contact_id, is_alias)
        select ${company}, line.id, k.kind, k.value, p.id, k.is_alias from line, known k join people p on p.name = k.name`);
    }
    await sql`drop table contact_aliases`.execute(owner);
    await up(owner);

    const aliases = await rows(`
      select a.company_id as company, a.number_key as number, c.name from contact_aliases a join contacts c on c.id = a.contact_id order by 1, 2`);
    expect(aliases).toEqual(companies.map((company) => ({ company, number: "5511987650002", name: "Ana" })));
    expect(await rows("select number from contacts where name = 'By LID'")).toEqual([
      { number: "5511987650004" },
      { number: "5511987650004" },
    ]);
    expect(await rows("select distinct is_alias from contact_identifiers where value = '5511987650004'")).toEqual([
      { is_alias: false },
    ]);
  } finally {
    await owner.destroy();
    await database.drop();
  }
});
