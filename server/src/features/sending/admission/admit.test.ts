import { defaultWarmUpPlan, sendingDefaults, sendingRulesApi, warmUpPlan } from "@prosa/contract";
import type { Connection } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { changeLimit } from "#server/features/connections/health/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact } from "#server/testing/factories.ts";
import type { TestCompany, TestUser } from "#server/testing/factories.ts";
import { admit } from "./index.ts";
import type { Admission, Purpose } from "./index.ts";

let app: TestApp;
let operator: TestUser;
const clock = createMovedClock("2026-05-04T15:00:00Z");
beforeAll(async () => {
  app = await createTestApp({ clock });
  operator = (await aCompany(app, { isOperator: true })).admin;
});
afterAll(() => app.close());

let company: TestCompany;
let line: Connection;
beforeEach(async () => {
  // A Monday at noon in São Paulo.
  clock.set("2026-05-04T15:00:00Z");
  company = await aCompany(app);
  line = await aConnection(company);
});

/** Runs as the jobs do, with the clock of the test. */
function inside<T>(work: Parameters<typeof app.db.inCompany<T>>[1]): Promise<T> {
  const actor = { kind: "system", companyId: company.id, reason: "test" } as const;
  return app.db.inCompany({ actor, companyId: company.id, clock, log: app.services.log }, work);
}

async function ask(purpose: Purpose, contactId?: number): Promise<Admission> {
  const id = contactId ?? (await aContact(company)).id;
  return inside((ctx) => admit(ctx, { connectionId: line.id, contactId: id, ticketId: null, purpose }));
}

const saveRules = (lines: { dailyCap?: number | null; warmUp?: boolean } = {}, more: object = {}) =>
  app.as(company.admin).call(sendingRulesApi.save, {
    body: {
      minGapSeconds: 1,
      hours: sendingDefaults.hours,
      lines: [{ whatsappId: line.id, ...lines }],
      ...more,
    },
  });

const rules = async () => (await app.as(company.admin).call(sendingRulesApi.get)).body;
const kinds = async (purpose: Purpose, times: number) => {
  const answers: string[] = [];
  for (let n = 0; n < times; n += 1) {
    const admission = await ask(purpose);
    answers.push(admission.kind === "go" ? "go" : admission.reason);
    clock.advance({ seconds: 2 });
  }
  return answers;
};

test("a start counts once in the line's day, and its line waits for its gap (P-01, P-03)", async () => {
  expect(await ask("campaign")).toEqual({ kind: "go" });
  const next = await ask("schedule");
  expect(next).toMatchObject({ kind: "hold", reason: "pace" });
  const waits = next.kind === "hold" ? next.until.getTime() - clock.now().getTime() : 0;
  expect(waits).toBeGreaterThanOrEqual(1_000);
  expect(waits).toBeLessThanOrEqual(1_300);
  expect(await ask("person")).toEqual({ kind: "go" });
  clock.advance({ seconds: 2 });
  expect(await ask("api")).toEqual({ kind: "go" });
  expect((await rules()).lines).toMatchObject([{ startedToday: 2 }]);
});

test("of four that ask at once one goes, and no gap is below the company's less its jitter (P-03)", async () => {
  await saveRules({}, { minGapSeconds: 5 });
  const people = await Promise.all(Array.from({ length: 40 }, () => aContact(company)));
  const starts: number[] = [];
  for (let n = 0; starts.length < 10; n += 4) {
    const four = [0, 1, 2, 3].map((of) => people[(n + of) % people.length]!.id);
    const answers = await Promise.all(four.map((id) => ask("campaign", id)));
    const went = answers.filter(({ kind }) => kind === "go").length;
    expect(went).toBeLessThanOrEqual(1);
    if (went === 1) {
      starts.push(clock.now().getTime());
    }
    clock.advance({ seconds: 0.25 });
  }
  const gaps = starts.slice(1).map((at, index) => at - starts[index]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3_500);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(6_750);
});

test("the daily cap counts by the company's day: after midnight in its time zone the line goes on (P-03)", async () => {
  await saveRules({ dailyCap: 3 }, { hours: { ...sendingDefaults.hours, isOn: false } });
  // 23:59:50 in São Paulo, where UTC has the next day already.
  clock.set("2026-05-05T02:59:50Z");
  expect(await kinds("campaign", 5)).toEqual(["go", "go", "go", "dailyCap", "dailyCap"]);
  // It is midnight there now.
  expect(clock.now().toISOString()).toBe("2026-05-05T03:00:00.000Z");
  expect(await kinds("campaign", 4)).toEqual(["go", "go", "go", "dailyCap"]);
  const held = await ask("schedule");
  expect(held).toEqual({ kind: "hold", reason: "dailyCap", until: new Date("2026-05-06T03:00:00Z") });
  expect(await ask("person")).toEqual({ kind: "go" });
});

test("a young line starts as many as the plan of the installation allows; an admin may switch it off (P-03)", async () => {
  const linkedAt = (at: string) =>
    inside(({ db }) => sql`update connections set linked_at = ${at}::timestamptz where id = ${line.id}`.execute(db));
  const save = (steps: { day: number; limit: number | null }[]) =>
    app.as(operator).call(warmUpPlan.save, { body: { steps } });
  expect((await app.as(operator).call(warmUpPlan.get)).body.steps).toEqual(defaultWarmUpPlan);
  await save([
    { day: 1, limit: 2 },
    { day: 2, limit: 4 },
    { day: 3, limit: null },
  ]);

  expect(await kinds("campaign", 5)).toEqual(["go", "go", "go", "go", "go"]);
  await linkedAt("2026-05-04T12:00:00Z");
  expect((await rules()).lines).toMatchObject([{ ageDays: 0, warmUpLimit: 2, startedToday: 5 }]);
  expect(await kinds("api", 1)).toEqual(["warmUp"]);

  clock.set("2026-05-05T15:00:00Z");
  expect(await kinds("schedule", 5)).toEqual(["go", "go", "go", "go", "warmUp"]);
  await saveRules({ warmUp: false });
  expect(await kinds("schedule", 2)).toEqual(["go", "go"]);
  await saveRules({ warmUp: true });
  clock.set("2026-05-06T15:00:00Z");
  expect(await kinds("campaign", 5)).toEqual(["go", "go", "go", "go", "go"]);
  await save([...defaultWarmUpPlan]);
});

test("campaigns wait for the work hours, schedules do not (P-03)", async () => {
  clock.set("2026-05-04T23:30:00Z");
  expect(await ask("campaign")).toEqual({ kind: "hold", reason: "hours", until: new Date("2026-05-05T11:00:00Z") });
  expect(await ask("schedule")).toEqual({ kind: "go" });
});

test("what WhatsApp limits holds whatever starts a conversation, to its stated end (P-01, P-04)", async () => {
  const until = new Date("2026-05-04T16:00:00Z");
  await inside((ctx) => changeLimit(ctx, line.id, { kind: "newChats", isActive: true, until, cause: "quality" }));
  for (const purpose of ["campaign", "schedule", "api", "bot", "person"] as const) {
    expect(await ask(purpose)).toEqual({ kind: "hold", reason: "limited", until });
  }
  clock.set(until);
  expect(await ask("campaign")).toEqual({ kind: "go" });
});

test("who wrote within 28 days is replied to, and costs no count and no statement of the line (P-03)", async () => {
  const { id: contactId } = await aContact(company);
  await saveRules({ dailyCap: 1 });
  await inside(({ db }) =>
    sql`with t as (insert into tickets (company_id, connection_id, contact_id, status) values (${company.id}, ${line.id}, ${contactId}, 'closed') returning id)
      insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
      select ${company.id}, id, ${contactId}, ${line.id}, 'W1', false, ${clock.now()}::timestamptz - interval '27 days', 'oi' from t`.execute(
      db,
    ),
  );
  const { inAll, result } = await countStatements(() => ask("schedule", contactId));
  expect(result).toEqual({ kind: "go" });
  // The contact, with the transaction that sets the company.
  expect(inAll).toBe(2);
  expect((await rules()).lines).toMatchObject([{ startedToday: 0 }]);
  clock.advance({ days: 2 });
  expect(await ask("schedule", contactId)).toEqual({ kind: "go" });
  expect((await rules()).lines).toMatchObject([{ startedToday: 1 }]);
});

test("what waited and was deleted before it was sent started no conversation (P-03)", async () => {
  const { id: contactId } = await aContact(company);
  await inside(({ db }) =>
    sql`with t as (insert into tickets (company_id, connection_id, contact_id, status) values (${company.id}, ${line.id}, ${contactId}, 'closed') returning id)
      insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, ack, sent_at, body)
      select ${company.id}, id, ${contactId}, ${line.id}, 'W1', true, 0, ${clock.now()}, 'olá' from t`.execute(db),
  );
  const startedAfter = async () => {
    clock.advance({ seconds: 2 });
    expect(await ask("schedule", contactId)).toEqual({ kind: "go" });
    return (await rules()).lines[0]!.startedToday;
  };
  expect(await startedAfter()).toBe(0);
  await inside(({ db }) => sql`update messages set is_deleted = true where contact_id = ${contactId}`.execute(db));
  expect(await startedAfter()).toBe(1);
  await inside(({ db }) => sql`update messages set ack = 1 where contact_id = ${contactId}`.execute(db));
  expect(await startedAfter()).toBe(1);
});

test("a decision of a campaign costs four statements (P-03)", async () => {
  await ask("campaign");
  clock.advance({ seconds: 2 });
  const { id } = await aContact(company);
  const { inAll } = await countStatements(() => ask("campaign", id));
  // The contact with the pace, the line, the count, the slot, and the transaction.
  expect(inAll).toBe(5);
});

test("rules are the admin's, of their own lines, and end after they begin (P-03)", async () => {
  const other = await aConnection(await aCompany(app));
  expect(await saveRules({}, { lines: [{ whatsappId: other.id, dailyCap: 5 }] })).toMatchObject({ status: 404 });
  const upsideDown = { ...sendingDefaults.hours, start: "20:00", end: "08:00" };
  expect(await saveRules({}, { hours: upsideDown })).toMatchObject({ status: 400 });
  const saved = await saveRules({ dailyCap: 80, warmUp: false }, { minGapSeconds: 30 });
  expect(saved.body).toEqual(await rules());
  expect(saved.body).toMatchObject({
    minGapSeconds: 30,
    lines: [{ whatsappId: line.id, dailyCap: 80, warmUp: false }],
  });
});
