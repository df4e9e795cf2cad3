import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { keptCountSql } from "./kept-count.ts";

let database: TestDatabase;
let companyId: number;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = <Row>(text: string) =>
  database.inCompany(companyId, async ({ db }) => (await sql.raw<Row>(text).execute(db)).rows);

async function ids(text: string): Promise<number[]> {
  return (await run<{ id: number }>(text)).map(({ id }) => id);
}

async function aCompany({ contacts }: { readonly contacts: number }) {
  const name = `company ${Math.random()}`;
  const { rows } = await sql<{ id: number }>`insert into companies (name) values (${name}) returning id`.execute(
    database.db.system,
  );
  companyId = rows[0]!.id;
  const line = await ids(`insert into connections (company_id, name) values (${companyId}, 'line') returning id`);
  const tags = await ids(
    `insert into tags (company_id, name, color) select ${companyId}, 'tag ' || n, '#fff' from generate_series(1, 3) n returning id`,
  );
  const people = await ids(
    `insert into contacts (company_id, name) select ${companyId}, 'c' || n from generate_series(1, ${contacts}) n returning id`,
  );
  const tickets = await ids(
    `insert into tickets (company_id, connection_id, contact_id) select ${companyId}, ${line[0]}, id from contacts returning id`,
  );
  return { tags, people, tickets };
}

const label = (tickets: readonly number[], tags: readonly number[]) =>
  `insert into ticket_tags (company_id, ticket_id, tag_id)
   select ${companyId}, t, g from unnest('{${tickets.join()}}'::int[]) t, unnest('{${tags.join()}}'::int[]) g on conflict do nothing`;

/** One change in 32 folds, by chance: has the next one of this transaction do so. */
async function foldNext(db: Ctx["db"]) {
  await sql`
    with tried as materialized (
      select seed, setseed(seed), random() as first from (select n / 1000.0::float8 as seed from generate_series(0, 1000) n) seeds)
    select setseed((select seed from tried where first < 1.0 / 32 limit 1))`.execute(db);
}

/** What is kept beside what is counted. */
async function compared() {
  const kept = await database.inCompany(companyId, ({ db }) =>
    db
      .selectFrom("tags")
      .select([
        "id",
        sql<number>`${sql.raw(keptCountSql("tag", "tags.id"))}`.as("kept"),
        sql<number>`(select count(*)::int from ticket_tags where tag_id = tags.id)`.as("counted"),
      ])
      .orderBy("id")
      .execute(),
  );
  const [contacts] = await database.inCompany(companyId, ({ db }) =>
    db
      .selectNoFrom([
        sql<number>`${sql.raw(keptCountSql("contacts", "0"))}`.as("kept"),
        sql<number>`(select count(*)::int from contacts)`.as("counted"),
      ])
      .execute(),
  );
  return [...kept, contacts!];
}

async function expectRight() {
  for (const { kept, counted } of await compared()) {
    expect(kept).toBe(counted);
  }
}

test("kept counts are right after labels, deletions and cascades (O-04, C-01)", async () => {
  const { tags, people, tickets } = await aCompany({ contacts: 30 });
  await run(label(tickets, tags));
  await expectRight();
  await run(label(tickets, tags)); // nothing new
  await run(`delete from ticket_tags where ticket_id = any('{${tickets.slice(0, 5).join()}}') and tag_id = ${tags[0]}`);
  await expectRight();
  await run(`delete from tickets where id = ${tickets[10]}`);
  await run(`delete from contacts where id = any('{${people.slice(20).join()}}')`);
  await expectRight();
  expect((await compared()).map(({ kept }) => kept)).toEqual([14, 19, 19, 20]);

  await run(`delete from tags where id = ${tags[1]}`);
  await expectRight();
  expect(await run(`select from kept_counts where of_id = ${tags[1]}`)).toEqual([]);
});

test("a pile of changes is folded into one row (O-04)", async () => {
  const { tags, tickets } = await aCompany({ contacts: 60 });
  for (const ticket of tickets) {
    await run(label([ticket], [tags[0]!]));
  }
  await database.inCompany(companyId, async ({ db }) => {
    await foldNext(db);
    await sql.raw(`delete from ticket_tags where ticket_id = ${tickets[1]}`).execute(db);
  });
  expect(await run(`select n from kept_counts where of_id = ${tags[0]}`)).toEqual([{ n: 59 }]);
  await expectRight();
});

test("who labels does not wait for others who label with the same tags, in whichever order (O-04)", async () => {
  const { tags, tickets } = await aCompany({ contacts: 130 });
  await run(label(tickets.slice(0, 50), tags));
  // Both have labelled before either commits: they would wait here for ever.
  const reached = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = (mine: number, of: readonly number[], order: readonly number[]) =>
    database.inCompany(companyId, async ({ db }) => {
      for (const tag of order) {
        await foldNext(db);
        await sql.raw(label(of, [tag])).execute(db);
      }
      reached[mine]!.resolve();
      await reached[1 - mine]!.promise;
    });
  await Promise.all([work(0, tickets.slice(50, 90), tags), work(1, tickets.slice(90), tags.toReversed())]);
  await expectRight();
});

test("an erased company leaves no counts (Y-01)", async () => {
  const { tags, tickets } = await aCompany({ contacts: 10 });
  await run(label(tickets, tags));
  const doomed = companyId;
  await aCompany({ contacts: 1 });
  await sql`delete from companies where id = ${doomed}`.execute(database.db.system);
  companyId = doomed;
  expect(await run("select from kept_counts")).toEqual([]);
});
