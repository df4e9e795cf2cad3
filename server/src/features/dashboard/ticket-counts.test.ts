import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aContact, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { countTicketsNow } from "./dashboard.queries.ts";

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

async function run(company: TestCompany, text: string) {
  return company.inside(async ({ db }) => (await sql.raw<{ n: number }>(text).execute(db)).rows);
}

async function aDesk(tickets: number) {
  const company = await aCompany(app);
  const { id: contactId } = await aContact(company);
  const [{ id: sales }, { id: support }] = [await aQueue(company), await aQueue(company)];
  const { userId } = await aUser(company);
  await run(
    company,
    `insert into tickets (company_id, contact_id, status, queue_id, user_id)
     select ${company.id}, ${contactId}, (array['pending', 'open', 'closed'])[n % 3 + 1],
       (array[${sales}, ${support}, null])[n / 3 % 3 + 1], ${userId} from generate_series(1, ${tickets}) n`,
  );
  return { company, sales, support };
}

/** What is kept is what the tickets say, of all queues and of each. */
async function expectRight(company: TestCompany, queues: readonly number[]) {
  for (const queueIds of [null, [], ...queues.map((id) => [id]), queues]) {
    const kept = await company.inside((ctx) =>
      countTicketsNow(ctx, { timeZone: "America/Sao_Paulo", queueIds, productIds: [] }),
    );
    const isShown = queueIds === null ? "true" : `queue_id = any ('{${queueIds.join()}}')`;
    const [counted] = await run(
      company,
      `select count(*) filter (where status = 'open')::int as happening,
         count(*) filter (where status = 'pending')::int as pending from tickets where ${isShown}`,
    );
    expect(kept).toEqual(counted);
  }
}

const some = (n: number) => `id in (select id from tickets order by hashint4(id + ${n}) limit 7)`;

test("open and pending tickets are counted through changes of all kinds (D-02)", async () => {
  const { company, sales, support } = await aDesk(60);
  const queues = [sales, support];
  await expectRight(company, queues);
  const changes = [
    `update tickets set status = 'open' where ${some(1)}`,
    `update tickets set status = 'closed' where ${some(2)}`,
    `update tickets set status = 'pending', queue_id = null where ${some(3)}`,
    `update tickets set queue_id = ${support} where ${some(4)}`,
    `update tickets set queue_id = ${sales}, status = 'open' where ${some(5)}`,
    `update tickets set last_message_at = now() where ${some(6)}`,
    `delete from tickets where ${some(7)}`,
    `delete from queues where id = ${sales}`,
  ];
  for (const change of changes) {
    await run(company, change);
    await expectRight(company, queues);
  }
});

test("changes of the counts are folded, and who changes tickets at the same moment does not wait (D-02)", async () => {
  const { company, sales, support } = await aDesk(600);
  // One change in 32 folds: that none of a thousand did happens once in some 10^13 runs.
  expect((await run(company, "select from ticket_counts")).length).toBeLessThan(600);

  // Both have changed hundreds of tickets, and folded, before either commits: they would wait here for ever.
  const reached = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = (mine: number) =>
    company.inside(async ({ db }) => {
      await sql.raw(`update tickets set status = 'closed' where id % 2 = ${mine}`).execute(db);
      reached[mine]!.resolve();
      await reached[1 - mine]!.promise;
    });
  await Promise.all([work(0), work(1)]);
  await expectRight(company, [sales, support]);
});

test("another company's counts are not seen, and an erased one leaves none (Y-01)", async () => {
  const { company } = await aDesk(20);
  const { company: neighbour } = await aDesk(10);
  expect(await run(neighbour, `select from ticket_counts where company_id = ${company.id}`)).toEqual([]);
  await sql`delete from companies where id = ${company.id}`.execute(app.db.system);
  expect(await run(company, "select from ticket_counts")).toEqual([]);
});
