import { expect, test } from "vitest";
import { plant } from "./planted.ts";
import { checkSql } from "./sql.ts";

const contactsQueries = "server/src/features/contacts/contacts.queries.ts";

/** Each row: the rule, the file that breaks it, and what is written there. */
const violations: readonly [rule: string, file: string, text: string][] = [
  ["a-table-has-one-writer", contactsQueries, 'export const f = (db: any) => db.updateTable("tickets").set({ a: 1 });'],
  ["a-table-has-one-writer", contactsQueries, 'export const f = (db: any) => db.insertInto("tickets as t");'],
  ["a-table-has-one-writer", contactsQueries, 'export const f = (db: any) => db.deleteFrom("tickets");'],
  [
    "a-table-has-one-writer",
    contactsQueries,
    "export const f = `with old as (delete from tickets where id = $1) select 1 from old`;",
  ],
  ["a-table-has-one-writer", contactsQueries, "export const f = (id: number) => `UPDATE tickets AS t SET a = ${id}`;"],
  ["a-table-has-one-writer", contactsQueries, "export const f = `insert into tickets (id) values ($1)`;"],
  ["a-table-has-one-writer", "server/seeds/demo.ts", 'export const f = (db: any) => db.insertInto("tickets");'],
  [
    "sql-lives-in-queries",
    "server/src/features/contacts/contacts.service.ts",
    'export const f = (db: any) => db.selectFrom("contacts");',
  ],
  [
    "sql-lives-in-queries",
    "server/src/features/contacts/contacts.service.ts",
    "export const f = `select id from contacts`;",
  ],
  ["sql-lives-in-queries", "server/src/app/a.ts", 'export const f = "update contacts set name = $1";'],
  [
    "settings-end-with-the-transaction",
    contactsQueries,
    "export const f = \"select set_config('app.company_id', $1, false)\";",
  ],
  ["settings-end-with-the-transaction", "server/src/platform/db/a.ts", "export const f = `SET app.company_id = ${1}`;"],
  [
    "settings-end-with-the-transaction",
    "server/migrations/0002_a.ts",
    'export const f = "set session app.company_id = 1";',
  ],
  [
    "statements-run-on-every-server",
    contactsQueries,
    "export const f = `insert into contacts as c (id) values (1) on conflict do nothing returning c.id, old.id is null`;",
  ],
  [
    "statements-run-on-every-server",
    "server/src/features/contacts/contacts.test.ts",
    "export const f = (text: string) => `explain (generic_plan) ${text}`;",
  ],
  [
    "comparisons-use-an-index",
    contactsQueries,
    "export const f = `select m.id from tickets t left join messages m on m.id = coalesce(t.a, t.b)`;",
  ],
  ["every-table-has-an-owner", "server/migrations/0002_a.ts", "export const f = `create table surprises (id int)`;"],
  [
    "every-table-has-an-owner",
    "server/migrations/0002_a.ts",
    'export const f = (db: any) => db.schema.createTable("surprises");',
  ],
];

test.each(violations)("%s is reported for %s: %s", (rule, file, text) => {
  using project = plant({ [file]: text });
  const found = checkSql(project.root);
  expect(found.map((violation) => `${violation.rule} ${violation.file}`)).toContain(`${rule} ${file}`);
});

const inOrder: readonly [what: string, file: string, text: string][] = [
  ["the owner writes", contactsQueries, 'export const f = (db: any) => db.insertInto("contacts");'],
  [
    "a neighbour reads",
    contactsQueries,
    "export const f = `select c.id from contacts c join tickets t on t.contact_id = c.id for update of c`;",
  ],
  [
    "an upsert updates its own row",
    contactsQueries,
    "export const f = `insert into contacts (id) values (1) on conflict (id) do update set a = 1`;",
  ],
  [
    "a part of the statement is called old",
    contactsQueries,
    "export const f = `with old as (delete from contacts returning id) select old.id from old`;",
  ],
  ["a comment tells of SQL", contactsQueries, "// update tickets set a = 1\nexport const x = 1;"],
  [
    "a test puts rows into any state",
    "server/src/features/contacts/a.test.ts",
    'export const f = "update tickets set a = 1";',
  ],
  ["a sentence begins like SQL", "server/src/features/contacts/a.ts", 'export const f = "select a queue first";'],
  [
    "a setting of the transaction",
    contactsQueries,
    "export const f = \"select set_config('app.company_id', $1, true)\";",
  ],
];

test.each(inOrder)("no violation when %s", (_what, file, text) => {
  using project = plant({ [file]: text });
  expect(checkSql(project.root).filter((violation) => violation.file === file)).toEqual([]);
});
