import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { asOwner } from "#server/testing/as-owner.ts";
import { aCompany, aContact, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { touchedBy } from "#server/testing/touched-rows.ts";
import { sumFinished, totalFinished } from "./dashboard.queries.ts";
import type { DayRange } from "./dashboard.range.ts";
import { foldDays } from "./kept-days.queries.ts";

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

/** With days of 23 and 25 hours, and without. */
const zones = ["America/Sao_Paulo", "America/New_York", "Asia/Kolkata"] as const;
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

/** A company with tickets, each with an episode of the last 400 days by one of three attendants or by nobody. */
async function served(episodes: number) {
  const company = await aCompany(app);
  const { id: contactId } = await aContact(company);
  const users = [await aUser(company), await aUser(company), await aUser(company)].map(({ userId }) => userId);
  await asOwner(
    app.database.url,
    `insert into tickets (company_id, contact_id, status)
     select ${company.id}, ${contactId}, 'closed' from generate_series(1, ${episodes})`,
    `insert into episodes (company_id, ticket_id, queued_at, started_at, finished_at, user_id, rating)
     select ${company.id}, t.id, s.at - interval '1 hour' * random(), case when t.id % 5 > 0 then s.at - interval '20 min' * random() end,
       s.at, (array[${users.join()}])[t.id % 4 + 1], case when t.id % 3 = 0 then t.id % 2 + 1 end
     from tickets t, lateral (select now() - interval '400 days' * (random() ^ 2 + t.id * 0) as at) s where t.company_id = ${company.id}`,
  );
  return { company, users };
}

async function fold(company: TestCompany, timeZone: string = zones[0]) {
  while ((await company.inside((ctx) => foldDays(ctx, timeZone))) > 0) {}
}

async function run(company: TestCompany, text: string) {
  return company.inside(async ({ db }) => (await sql.raw<{ n: number }>(text).execute(db)).rows);
}

const ranges: readonly DayRange[] = [
  { from: daysAgo(29), to: daysAgo(0) },
  { from: daysAgo(59), to: daysAgo(30), untilTime: "10:56:12" },
  { from: daysAgo(300), to: daysAgo(7) },
  { from: daysAgo(1), to: daysAgo(1) },
  { from: null, to: daysAgo(3) },
  { from: daysAgo(100), to: null },
  { from: null, to: null },
  { from: daysAgo(2), to: daysAgo(9) },
];

/** Every figure of every range is what the episodes say. */
async function expectRight(company: TestCompany, zone: string = zones[0]) {
  const scope = { timeZone: zone, queueIds: null, productIds: [] };
  for (const range of ranges) {
    const { kept, total, live } = await company.inside(async (ctx) => {
      const { rows } = await sql<{ userId: number | null; finished: number; started: number }>`
        select user_id as "userId", count(*)::int as finished, count(started_at)::int as started,
          coalesce(sum(extract(epoch from finished_at - started_at)), 0)::float8 as "supportSeconds",
          coalesce(sum(extract(epoch from started_at - queued_at)), 0)::float8 as "waitSeconds",
          count(rating)::int as ratings, coalesce(sum(rating), 0)::int as "ratingSum"
        from episodes where company_id = ${ctx.companyId} and finished_at is not null
          and finished_at >= coalesce(${range.from}::date::timestamp at time zone ${zone}, '-infinity')
          and finished_at < coalesce((${range.to}::date + coalesce(${range.untilTime ?? null}::time, '24:00'))
            at time zone ${zone}, 'infinity')
        group by user_id`.execute(ctx.db);
      return {
        kept: await sumFinished(ctx, scope, range),
        total: await totalFinished(ctx, scope, range),
        live: rows,
      };
    });
    const sorted = <T extends { readonly userId: number | null }>(all: readonly T[]) =>
      all.toSorted((a, b) => (a.userId ?? 0) - (b.userId ?? 0));
    expect(sorted(kept)).toEqual(sorted(live));
    const sum = (of: "finished" | "started") => live.reduce((all, row) => all + row[of], 0);
    expect(total).toMatchObject({ finished: sum("finished"), started: sum("started") });
  }
}

const episodeOf = (company: TestCompany, n: number) =>
  `id in (select id from episodes where company_id = ${company.id} order by hashint4(id + ${n}) limit 5)`;

test("kept days say what the episodes say after changes of all kinds, folded or not (D-02, D-03)", async () => {
  const { company, users } = await served(600);
  await expectRight(company);
  await fold(company);
  await expectRight(company);
  expect(await run(company, "select from kept_days")).not.toEqual([]);

  const changes = (n: number) => [
    `update episodes set rating = 3, rated_at = now() where ${episodeOf(company, n)}`,
    `update episodes set finished_at = finished_at - interval '9 days' where ${episodeOf(company, n + 1)}`,
    `update episodes set finished_at = null where ${episodeOf(company, n + 2)}`,
    `update episodes set user_id = ${users[1]}, started_at = queued_at where ${episodeOf(company, n + 3)}`,
    `delete from tickets where id in (select ticket_id from episodes where ${episodeOf(company, n + 4)})`,
    `update episodes set finished_at = now() - interval '33 days' where finished_at is null and ${episodeOf(company, n + 2)}`,
    `insert into episodes (company_id, ticket_id, queued_at, finished_at)
     select company_id, id, now() - interval '41 days', now() - interval '40 days' from tickets order by id limit 2`,
    `update episodes set finished_at = now() where finished_at is null and ${episodeOf(company, n + 2)}`,
  ];
  for (const round of [1, 2, 3]) {
    for (const [n, change] of changes(round * 100).entries()) {
      await run(company, change);
      await expectRight(company);
      if ((n + round) % 3 === 0) {
        await fold(company);
        await expectRight(company);
      }
    }
  }
  await run(company, `delete from users where id = ${users[2]}`);
  await expectRight(company);
  await fold(company);
  await expectRight(company);
  expect(await run(company, "select from kept_day_marks")).toEqual([]);
}, 60_000);

test("another time zone, before and after its days are kept; days of 23 and 25 hours (D-01)", async () => {
  const { company } = await served(300);
  for (const zone of zones) {
    await expectRight(company, zone);
    await fold(company, zone);
    await expectRight(company, zone);
  }
  expect(await run(company, "select distinct time_zone from kept_days")).toEqual([{ time_zone: zones[2] }]);
  await fold(company, zones[1]);
  expect(
    await run(company, "select extract(hour from until - since)::int as n from kept_days where days = 1 group by 1"),
  ).toEqual(expect.arrayContaining([{ n: 0 }, { n: 23 }, { n: 1 }]));
}, 60_000);

test("a change that commits after a fold has read leaves the day marked (D-02)", async () => {
  const { company } = await served(50);
  const read = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const slow = company.inside(async ({ db }) => {
    await sql`update episodes set rating = 3 where company_id = ${company.id}`.execute(db);
    written.resolve();
    await read.promise;
  });
  await written.promise;
  await fold(company);
  read.resolve();
  await slow;
  expect(await run(company, "select from kept_day_marks")).not.toEqual([]);
  await expectRight(company);
  await fold(company);
  expect(await run(company, "select from kept_day_marks")).toEqual([]);
  await expectRight(company);
});

test("two folds at once keep each day once (D-02)", async () => {
  const { company } = await served(200);
  await Promise.all([fold(company), fold(company), fold(company)]);
  await expectRight(company);
});

test("today and what finishes now are not kept and mark nothing (D-02)", async () => {
  const { company } = await served(20);
  await fold(company);
  const id = `(select min(ticket_id) from episodes where company_id = ${company.id})`;
  await run(company, `insert into episodes (company_id, ticket_id, queued_at) values (${company.id}, ${id}, now())`);
  await run(company, "update episodes set started_at = now() where finished_at is null");
  await run(company, "update episodes set finished_at = now() where finished_at is null");
  await run(company, `update episodes set queue_id = null, rating_asked_at = now()`);
  expect(await run(company, "select from kept_day_marks")).toEqual([]);
  expect(await run(company, "select from kept_days where until > now()")).toEqual([]);
  await expectRight(company);
});

test("another company sees none of the days, and an erased one leaves none (Y-01)", async () => {
  const { company } = await served(50);
  const { company: neighbour } = await served(10);
  await fold(company);
  await run(company, "update episodes set rating = 1");
  for (const table of ["kept_days", "kept_day_users", "kept_day_marks"]) {
    expect(await run(company, `select from ${table}`)).not.toEqual([]);
    const others = await run(neighbour, `select from ${table} where company_id = ${company.id}`);
    expect(others).toEqual([]);
  }
  await asOwner(app.database.url, `delete from companies where id = ${company.id}`);
  expect(await run(company, "select from kept_day_marks")).toEqual([]);
  expect(await run(company, "select from kept_day_users")).toEqual([]);
});

test("the job keeps each company's days, and 30 days read those, not their episodes (D-05)", async () => {
  const { company } = await served(20_000);
  await app.db.systemTx(async (tx) => {
    tx.enqueue(company.id, { task: "dashboard.fold-days", payload: {} });
  });
  await app.settle();
  expect(await run(company, "select from kept_days")).not.toEqual([]);
  await asOwner(app.database.url, "vacuum analyze episodes, kept_days, kept_day_users, kept_day_marks");
  const scope = { timeZone: zones[0], queueIds: null, productIds: [] };
  const until = { from: daysAgo(31), to: daysAgo(2) };
  const touched = await touchedBy({ url: app.database.url, companyId: company.id }, () =>
    company.inside(async (ctx) => [await sumFinished(ctx, scope, until), await totalFinished(ctx, scope, until)]),
  );
  const sums = touched.filter(({ text }) => text.includes("kept_days"));
  expect(sums.map(({ text }) => text.includes("kept_day_users"))).toEqual([true, false]);
  // Of some 5,000 episodes: the days and blocks of the range, and of the first query also the sums of four attendants for each.
  expect(sums[0]!.read).toBeLessThan(600);
  expect(sums[1]!.read).toBeLessThan(400);
}, 60_000);
