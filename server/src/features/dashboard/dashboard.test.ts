import { dashboard } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countStatements } from "#server/platform/db/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { asOwner } from "#server/testing/as-owner.ts";
import { aCompany, aConnection, aContact, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { planAsRequest } from "#server/testing/generic-plan.ts";

/** Wednesday noon in São Paulo. */
const noon = new Date("2026-04-15T15:00:00Z");
let app: TestApp;
beforeAll(async () => (app = await createTestApp({ clock: { now: () => noon } })));
afterAll(() => app.close());

interface Served {
  readonly queued: string;
  readonly started?: string;
  readonly finished?: string;
  readonly userId?: number;
  readonly queueId?: number;
  readonly rating?: number;
  readonly status?: "open" | "pending" | "closed";
}

/** Inserts a ticket with one finished episode. Times are in UTC; the company is in São Paulo. */
async function served(company: TestCompany, connectionId: number, episode: Served): Promise<number> {
  const { id: contactId } = await aContact(company);
  const status = episode.status ?? "closed";
  return company.inside(async ({ db }) => {
    const { rows } = await sql<{ id: number }>`
      with ticket as (
        insert into tickets (company_id, connection_id, contact_id, status, user_id, queue_id)
        values (${company.id}, ${connectionId}, ${contactId}, ${status},
          ${status === "pending" ? null : (episode.userId ?? null)}, ${episode.queueId ?? null})
        returning id),
      episode as (
        insert into episodes (company_id, ticket_id, queued_at, started_at, finished_at, user_id, queue_id, rating)
        select ${company.id}, id, ${episode.queued}, ${episode.started ?? null}, ${episode.finished ?? null},
          ${episode.userId ?? null}, ${episode.queueId ?? null}, ${episode.rating ?? null} from ticket)
      select id from ticket`.execute(db);
    return rows[0]!.id;
  });
}

/**
 * March in São Paulo (UTC-3), counted by hand:
 *
 * | who   | queue   | queued       | started      | finished     | waited | served    | rating |
 * |-------|---------|--------------|--------------|--------------|--------|-----------|--------|
 * | Ana   | sales   | 02/03 09:00  | 09:10        | 09:40        | 10 min | 30 min    | 3      |
 * | Ana   | sales   | 02/03 10:00  | 10:05        | 11:05:59     |  5 min | 60:59 min | 2      |
 * | Bruno | support | 31/03 23:00  | 23:30        | 23:59:59     | 30 min | 29:59 min | –      |
 * | nobody| support | 10/03 12:00  | –            | 13:00        | –      | –         | –      |
 * | Bruno | support | 31/03 23:50  | 31/03 23:55  | 01/04 00:00  | not of March: it finished at the first moment of April |
 */
async function march() {
  const company = await aCompany(app);
  const { id: lineId } = await aConnection(company);
  const sales = await aQueue(company, { name: "Vendas" });
  const support = await aQueue(company, { name: "Suporte" });
  const ana = await aUser(company, { name: "Ana", queues: [sales] });
  const bruno = await aUser(company, { name: "Bruno", queues: [support] });
  const as = { ana: { userId: ana.userId, queueId: sales.id }, bruno: { userId: bruno.userId, queueId: support.id } };
  const first = await served(company, lineId, {
    ...as.ana,
    queued: "2026-03-02T12:00Z",
    started: "2026-03-02T12:10Z",
    finished: "2026-03-02T12:40Z",
    rating: 3,
  });
  await served(company, lineId, {
    ...as.ana,
    queued: "2026-03-02T13:00Z",
    started: "2026-03-02T13:05Z",
    finished: "2026-03-02T14:05:59Z",
    rating: 2,
  });
  await served(company, lineId, {
    ...as.bruno,
    queued: "2026-04-01T02:00Z",
    started: "2026-04-01T02:30Z",
    finished: "2026-04-01T02:59:59Z",
  });
  await served(company, lineId, { queueId: support.id, queued: "2026-03-10T15:00Z", finished: "2026-03-10T16:00Z" });
  await served(company, lineId, {
    ...as.bruno,
    queued: "2026-04-01T02:50Z",
    started: "2026-04-01T02:55Z",
    finished: "2026-04-01T03:00Z",
  });
  await served(company, lineId, {
    ...as.ana,
    queued: "2026-04-02T12:00Z",
    started: "2026-04-02T12:01Z",
    status: "open",
  });
  await served(company, lineId, { queued: "2026-04-02T12:00Z", status: "pending" });
  await served(company, lineId, { queueId: support.id, queued: "2026-04-02T12:00Z", status: "pending" });
  return { company, ana, bruno, sales, support, first };
}

/** `counters` is JSON text, `attendants` an array (specification 1, section 7). */
function countersIn({ counters }: { readonly counters: unknown }): unknown {
  expect(counters).toBeTypeOf("string");
  return JSON.parse(counters as string);
}

const inMarch = { date_from: "2026-03-01", date_to: "2026-03-31" };
const days = { initialDate: "2026-03-01", finalDate: "2026-03-31" };

describe("figures of a data set that was counted by hand", () => {
  test("counters: open and pending now, finished and averages of the range, half open (D-02)", async () => {
    const { company } = await march();
    const { status, body } = await app.as(company.admin).call(dashboard.figures, { query: inMarch });
    expect(status).toBe(200);
    // waited (10 + 5 + 30) / 3; served (30:00 + 60:59 + 29:59) / 3 = 40:19
    expect(countersIn(body)).toEqual({
      supportHappening: 1,
      supportPending: 2,
      supportFinished: 4,
      avgSupportTime: 40,
      avgWaitTime: 15,
    });
  });

  test("attendants: mean of the ratings, average time, conversations, busiest first (D-03)", async () => {
    const { company } = await march();
    const { body } = await app.as(company.admin).call(dashboard.figures, { query: inMarch });
    expect(body.attendants.map(({ name, rating, avgSupportTime, tickets }) => [name, rating, avgSupportTime, tickets]))
      // Ana (30:00 + 60:59) / 2 = 45:29
      .toEqual([
        ["Ana", 2.5, 45, 2],
        ["Bruno", null, 29, 1],
        ["Admin", null, 0, 0],
      ]);
  });

  test("online is shown while a socket is open (D-03, U-04)", async () => {
    const { company, ana } = await march();
    const socket = await app.connect(ana);
    await app.settle();
    const { body } = await app.as(company.admin).call(dashboard.figures, { query: inMarch });
    expect(Object.fromEntries(body.attendants.map(({ name, online }) => [name, online]))).toEqual({
      Ana: true,
      Bruno: false,
      Admin: false,
    });
    socket.close();
  });

  test("charts: finished per attendant, begun per day with empty days, per hour of one day (D-04)", async () => {
    const { company } = await march();
    const admin = app.as(company.admin);
    const users = await admin.call(dashboard.ticketsUsers, { query: days });
    expect(users.body.data).toEqual([
      { nome: "Ana", quantidade: 2 },
      { nome: "Bruno", quantidade: 1 },
    ]);

    const perDay = await admin.call(dashboard.ticketsDay, { query: days });
    expect([perDay.body.count, perDay.body.data.length, perDay.body.data.filter(({ total }) => total > 0)]).toEqual([
      5,
      31,
      [
        { data: "02/03/2026", total: 2 },
        { data: "10/03/2026", total: 1 },
        { data: "31/03/2026", total: 2 },
      ],
    ]);

    const oneDay = { initialDate: "2026-03-02", finalDate: "2026-03-02" };
    const perHour = await admin.call(dashboard.ticketsDay, { query: oneDay });
    expect([perHour.body.count, perHour.body.data.length, perHour.body.data[9], perHour.body.data[10]]).toEqual([
      2,
      24,
      { horario: "09:00", total: 1 },
      { horario: "10:00", total: 1 },
    ]);
  });

  test("a product narrows every figure to the tickets that carry it (D-04)", async () => {
    const { company, first } = await march();
    const productId = await company.inside(async ({ db }) => {
      const { rows } = await sql<{ id: number }>`
        with product as (insert into products (company_id, name) values (${company.id}, 'Plano Ouro') returning id),
        put as (insert into ticket_products (company_id, ticket_id, product_id) select ${company.id}, ${first}, id from product)
        select id from product`.execute(db);
      return rows[0]!.id;
    });
    const admin = app.as(company.admin);
    const products = JSON.stringify([productId]);
    const { body } = await admin.call(dashboard.figures, { query: { ...inMarch, products } });
    expect(countersIn(body)).toEqual({
      supportHappening: 0,
      supportPending: 0,
      supportFinished: 1,
      avgSupportTime: 30,
      avgWaitTime: 10,
    });
    const users = await admin.call(dashboard.ticketsUsers, { query: { ...days, products } });
    expect(users.body.data).toEqual([{ nome: "Ana", quantidade: 1 }]);
    expect((await admin.call(dashboard.ticketsDay, { query: { ...days, products } })).body.count).toBe(1);
  });
});

describe("comparison with the period before", () => {
  /** A conversation of one day of April: waited `wait`, was served for `support` minutes, and ended at this time in São Paulo. */
  const endedAt = (time: string, wait: number, support: number, of: Partial<Served> = {}): Served => {
    const finished = Date.parse(`2026-04-${time}-03:00`);
    const before = (minutes: number) => new Date(finished - minutes * 60_000).toISOString();
    return { queued: before(wait + support), started: before(support), finished: before(0), ...of };
  };
  const compared = async (company: TestCompany, query: string) =>
    (await app.as(company.admin).get<{ comparison: unknown }>(`/dashboard?${query}`)).body.comparison;

  test("a morning is compared with the morning before: count and averages, by the second (D-02)", async () => {
    const company = await aCompany(app);
    const { id: lineId } = await aConnection(company);
    const today = [endedAt("15T09:00", 4, 30), endedAt("15T10:00", 8, 30), endedAt("15T11:59:59", 6, 33)];
    const yesterday = [endedAt("14T00:00", 10, 20), endedAt("14T11:59:59", 6, 40)];
    // in the afternoon of yesterday, and before it: counted for neither
    const others = [endedAt("14T12:00", 60, 60), endedAt("13T23:59:59", 60, 60)];
    for (const each of [...today, ...yesterday, ...others]) {
      await served(company, lineId, each);
    }
    expect(await compared(company, "date_from=2026-04-15&date_to=2026-04-15")).toEqual({
      from: "2026-04-14",
      to: "2026-04-14",
      untilTime: "12:00:00",
      unit: "days",
      supportFinished: 50,
      // 31 min instead of 30, 6 instead of 8
      avgSupportTime: 3,
      avgWaitTime: -25,
    });
    expect(await compared(company, "days=1")).toMatchObject({ from: "2026-04-14", supportFinished: 50 });
  });

  test("a month is compared with the month before; nothing is said where there was nothing (D-02)", async () => {
    const { company } = await march();
    const { id: lineId } = await aConnection(company);
    await served(company, lineId, { queued: "2026-02-10T12:00Z", finished: "2026-02-10T13:00Z" });
    // nobody was served in February: its averages are none
    expect(await compared(company, "date_from=2026-03-01&date_to=2026-03-31")).toEqual({
      from: "2026-02-01",
      to: "2026-02-28",
      untilTime: null,
      unit: "month",
      supportFinished: 300,
      avgSupportTime: null,
      avgWaitTime: null,
    });
    expect(await compared(company, "date_from=2026-02-01&date_to=2026-02-28")).toBeNull();
    expect(await compared(company, "date_to=2026-03-31")).toBeNull();
    // nor are there any in a range without conversations: they did not get better by 100 %
    expect(await compared(company, "date_from=2026-04-02&date_to=2026-04-03")).toEqual({
      from: "2026-03-31",
      to: "2026-04-01",
      untilTime: null,
      unit: "days",
      supportFinished: -100,
      avgSupportTime: null,
      avgWaitTime: null,
    });
  });

  test("a supervisor's queues and a product are compared with themselves (D-01, D-04)", async () => {
    const { company, support } = await march();
    const supervisor = app.as(await aUser(company, { name: "Carla", profile: "supervisor", queues: [support] }));
    const query = { date_from: "2026-03-21", date_to: "" };
    const before = { from: "2026-02-23", to: "2026-03-20", unit: "days" };
    const ask = async (who: typeof supervisor, products = "[]") =>
      (await who.call(dashboard.figures, { query: { ...query, products } })).body.comparison;
    // Bruno's two against the one of 10 March; Ana's two of 2 March are another queue's
    expect(await ask(supervisor)).toMatchObject({ ...before, supportFinished: 100 });
    expect(await ask(app.as(company.admin))).toMatchObject({ ...before, supportFinished: -33 });
    expect(await ask(supervisor, "[4711]")).toBeNull();
  });
});

describe("who sees what", () => {
  test("a supervisor sees the figures of their queues alone (D-01)", async () => {
    const { company, support } = await march();
    const supervisor = app.as(await aUser(company, { name: "Carla", profile: "supervisor", queues: [support] }));
    const { body } = await supervisor.call(dashboard.figures, { query: inMarch });
    expect(countersIn(body)).toEqual({
      supportHappening: 0,
      supportPending: 1,
      supportFinished: 2,
      avgSupportTime: 29,
      avgWaitTime: 30,
    });
    expect(body.attendants.map(({ name }) => name)).toEqual(["Bruno", "Carla"]);
    expect((await supervisor.call(dashboard.ticketsDay, { query: days })).body.count).toBe(3);
    expect((await supervisor.call(dashboard.ticketsUsers, { query: days })).body.data).toEqual([
      { nome: "Bruno", quantidade: 1 },
    ]);
  });

  test("an agent is refused, a stranger signs in first, another company counts nothing of ours (D-01)", async () => {
    const { ana } = await march();
    const stranger = app.as(undefined);
    const neighbour = app.as((await aCompany(app)).admin);
    const { figures, ticketsDay, ticketsUsers } = dashboard;
    for (const caller of [app.as(ana), stranger]) {
      const answers = [
        await caller.call(figures, { query: inMarch }),
        await caller.call(ticketsDay, { query: days }),
        await caller.call(ticketsUsers, { query: days }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(Array(3).fill(caller === stranger ? 401 : 403));
    }
    const theirs = await neighbour.call(figures, { query: inMarch });
    expect(countersIn(theirs.body)).toMatchObject({ supportHappening: 0, supportPending: 0, supportFinished: 0 });
    expect((await neighbour.call(ticketsDay, { query: days })).body.count).toBe(0);
    expect((await neighbour.call(ticketsUsers, { query: days })).body.data).toEqual([]);
  });

  test.each([
    ["/dashboard", "Parametrize o filtro"],
    ["/dashboard?days=0&date_from=&date_to=", "Parametrize o filtro"],
    ["/dashboard?date_from=ontem", ""],
    ["/dashboard/ticketsDay?initialDate=2026-03-31&finalDate=2026-03-01", "range"],
    ["/dashboard/ticketsDay?initialDate=0001-01-01&finalDate=9999-12-31", "range"],
  ])("%s is refused: a filter needs a range that can be shown (D-01)", async (path, word) => {
    const company = await aCompany(app);
    const answer = await app.as(company.admin).get(path);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(word)]);
  });
});

test("200,000 tickets are counted by index-only scans (D-05)", async () => {
  const company = await aCompany(app);
  // Tickets without a connection, so that one contact can have them all.
  const { id: contactId } = await aContact(company);
  await asOwner(
    app.database.url,
    // Without foreign-key checks: they would cost 1.6 million look-ups.
    "set session_replication_role = replica",
    `insert into tickets (company_id, contact_id, status)
      select ${company.id}, ${contactId}, case when i % 100 = 0 then 'pending' else 'closed' end
      from generate_series(1, 200000) i`,
    `insert into episodes (company_id, ticket_id, queued_at, started_at, finished_at, user_id, rating)
      select ${company.id}, id, at, at + interval '3 minutes', at + interval '20 minutes', ${company.admin.userId}, 1 + id % 3
      from (select id, timestamptz '2026-01-02' + (id % 86400) * interval '2 minutes' as at
        from tickets where company_id = ${company.id}) t`,
    "vacuum analyze episodes, tickets",
  );
  const admin = app.as(company.admin);
  const query = { date_from: "2026-01-01", date_to: "2026-12-31" };
  const { body } = await admin.call(dashboard.figures, { query });
  expect(countersIn(body)).toMatchObject({ supportFinished: 200_000, avgSupportTime: 17, avgWaitTime: 3 });

  // The range and the one before it are one statement each, whatever is in them.
  const { statements } = await countStatements(() => admin.get("/dashboard?date_from=2026-03-01&date_to=2026-03-31"));
  const sums = statements.filter((text) => /\bfrom episodes\b/.test(text));
  expect(sums).toHaveLength(2);
  await planAsRequest({ url: app.database.url, companyId: company.id }, async (plan) => {
    for (const statement of sums) {
      const scans = (await plan(statement)).filter((line) => /Scan.*\bepisodes/.test(line));
      expect(scans).toEqual([expect.stringContaining("Index Only Scan using episodes_figures")]);
    }
  });

  const plan = await company.inside(async ({ db }) => {
    const { rows } = await sql<{ "QUERY PLAN": string }>`
      explain select user_id, count(*), sum(rating) from episodes where company_id = ${company.id}
        and finished_at is not null and finished_at >= timestamptz '2026-05-01' and finished_at < timestamptz '2026-05-02'
      group by user_id`.execute(db);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toContain("Index Only Scan using episodes_figures");
});
