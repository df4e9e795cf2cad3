import { connections, deadJobs } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection } from "#server/testing/factories.ts";
import type { TestCompany, TestUser } from "#server/testing/factories.ts";
import { redactError } from "./redact-error.ts";

let app: TestApp;
let operator: TestUser;
let client: TestCompany;
beforeAll(async () => {
  app = await createTestApp();
  operator = (await aCompany(app, { isOperator: true })).admin;
  client = await aCompany(app, { name: "Padaria Sol" });
});
afterAll(() => app.close());
beforeEach(() => sql`delete from jobs where state = 'dead'`.execute(app.db.system));

/** Inserts dead jobs, the latest last. */
async function bury(count: number, more: { companyId?: number | null; error?: string } = {}): Promise<number[]> {
  const { companyId = client.id, error = "Error: the receiver is gone" } = more;
  const { rows } = await sql<{ id: number }>`
    insert into jobs (company_id, task, payload, lane, run_at, state, attempts, max_attempts, last_error, died_at)
    select ${companyId}, 'mail.send', '{"to":"maria@example.com"}', 'chat:1', now(), 'dead', 5, 5, ${error},
      timestamptz '2026-03-01T10:00:00Z' + n * interval '1 minute'
    from generate_series(1, ${count}::int) n order by n returning id`.execute(app.db.system);
  return rows.map(({ id }) => id).sort((one, other) => one - other);
}

const list = async (pageNumber = 1) => (await app.as(operator).call(deadJobs.list, { query: { pageNumber } })).body;

test("the operator sees the dead jobs of all companies, the latest first, in pages", async () => {
  const ids = await bury(21);
  const [machinerys] = await bury(1, { companyId: null, error: "Error: no room" });

  const first = await list();
  expect(first).toMatchObject({ count: 22, hasMore: true });
  expect(first.deadJobs.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 20));
  expect(first.deadJobs[0]).toEqual({
    id: ids.at(-1),
    task: "mail.send",
    company: { id: client.id, name: "Padaria Sol" },
    lane: "chat:1",
    attempts: 5,
    lastError: "Error: the receiver is gone",
    diedAt: "2026-03-01T10:21:00.000Z",
  });

  const second = await list(2);
  expect(second).toMatchObject({ count: 22, hasMore: false });
  expect(second.deadJobs.map(({ id }) => id)).toEqual([machinerys, ids[0]].sort((one, other) => other! - one!));
  expect(second.deadJobs.find(({ id }) => id === machinerys)).toMatchObject({
    company: null,
    lastError: "Error: no room",
  });
});

test("a dead job is retried with all attempts, or deleted; then it is not listed", async () => {
  const [again, dropped] = await bury(2);
  const params = { id: again! };
  expect((await app.as(operator).call(deadJobs.retry, { params })).status).toBe(200);
  const { rows } = await sql`select company_id, task, payload, lane, attempts, max_attempts, state from jobs
    where task = 'mail.send' and state = 'live'`.execute(app.db.system);
  expect(rows).toEqual([
    {
      company_id: client.id,
      task: "mail.send",
      payload: { to: "maria@example.com" },
      lane: "chat:1",
      attempts: 0,
      max_attempts: 5,
      state: "live",
    },
  ]);
  expect((await app.as(operator).call(deadJobs.retry, { params })).status).toBe(404);

  expect((await app.as(operator).call(deadJobs.remove, { params: { id: dropped! } })).status).toBe(200);
  expect((await app.as(operator).call(deadJobs.remove, { params: { id: dropped! } })).status).toBe(404);
  expect(await list()).toEqual({ deadJobs: [], count: 0, hasMore: false });
});

test("a deleted line takes its dead jobs along: tried again, one would wait for ever (W-01)", async () => {
  const { id: lineId } = await aConnection(client);
  const [ofLine, other] = await bury(2);
  await sql`update jobs set affinity = ${`line:${lineId}`} where id = ${ofLine}`.execute(app.db.system);

  expect((await app.as(client.admin).call(connections.remove, { params: { id: lineId } })).status).toBe(200);
  await app.settle();
  expect((await list()).deadJobs.map(({ id }) => id)).toEqual([other]);
});

test("an admin of a company sees no dead jobs", async () => {
  const [id] = await bury(1);
  for (const answer of [
    await app.as(client.admin).call(deadJobs.list),
    await app.as(client.admin).call(deadJobs.retry, { params: { id: id! } }),
    await app.as(client.admin).call(deadJobs.remove, { params: { id: id! } }),
  ]) {
    expect(answer.status).toBe(403);
  }
  expect((await list()).count).toBe(1);
});

test("values that an error quotes are redacted", async () => {
  await bury(1, { error: 'SyntaxError: Unexpected token "O", "Olá, minha senha é 1234" is not valid JSON' });
  expect((await list()).deadJobs[0]?.lastError).toBe("SyntaxError: Unexpected token … is not valid JSON");
});

test.each([
  ["NoRetry: the receiver is gone", "NoRetry: the receiver is gone"],
  ["Error: connect ECONNREFUSED 10.0.0.7:25", "Error: connect ECONNREFUSED …:25"],
  ["Error: Can't send mail to <maria@example.com>", "Error: Can't send mail to <…>"],
  [
    "Error: GET https://user:pw@files.example.com/a/b?sig=abc#x failed",
    "Error: GET https://files.example.com/… failed",
  ],
  ['Error: 401 {"error":"bad key sk_live_1"}', "Error: 401 …"],
  ["Error: no device for 5511988887777@s.whatsapp.net", "Error: no device for …"],
  ["Error: no contact has +55 (11) 98888-7777", "Error: no contact has …"],
  ["Error: bad token eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoxfQ", "Error: bad token …"],
  ['error: violates "messages_pkey" and "x"', "error: violates …"],
  ["Error: cannot read 'Oi, tudo bem?'", "Error: cannot read …"],
])("of %j the operator reads %j", (error, shown) => {
  expect(redactError(error)).toBe(shown);
});

test("a long error is truncated", () => {
  expect(redactError("word ".repeat(200))).toHaveLength(300);
});

test("a job under the former name of its task is shown by the current one and retried as it is stored", async () => {
  const [id] = await bury(1);
  await sql`update jobs set task = 'lines.ask' where id = ${id}`.execute(app.db.system);
  expect((await list()).deadJobs.map(({ task }) => task)).toEqual(["lines.rpc"]);

  expect((await app.as(operator).call(deadJobs.retry, { params: { id: id! } })).status).toBe(200);
  const { rows } = await sql`delete from jobs where task = 'lines.ask' returning state`.execute(app.db.system);
  expect(rows).toEqual([{ state: "live" }]);
});
