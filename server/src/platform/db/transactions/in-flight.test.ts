import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { asOwner } from "#server/testing/as-owner.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import type { Ctx } from "../../ctx.ts";
import { appPool, systemPool } from "../pools/pools.ts";
import type { Session } from "./session.ts";
import { transactionPreamble } from "./transaction-preamble.ts";
import { runTransaction, withRetry } from "./transaction.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
  const fail = (name: string, first: string) =>
    `create function ${name}(code text) returns int language plpgsql as
     $$ begin ${first} raise exception 'planned %', code using errcode = code; end $$`;
  await asOwner(
    database.url,
    "create table rows_in_flight (id int primary key)",
    "grant all on rows_in_flight to prosa_app, prosa_system",
    fail("fail_now", ""),
    fail("fail_late", "perform pg_sleep(0.15);"),
  );
});
afterAll(() => database.drop());

/** A pool of one connection. "explicit": with BEGIN and COMMIT, as before PostgreSQL 17 and of the system's role ever. */
function aPool(kind: "pipeline" | "explicit"): pg.Pool {
  const open = kind === "pipeline" ? appPool : systemPool;
  const pool = open({ url: database.url, log: database.log, max: 1, silenceMs: 20_000 });
  onTestFinished(() => pool.end());
  return pool;
}

type Work<T> = (session: Session) => Promise<T>;

function run<T>(pool: pg.Pool, work: Work<T>, closingStatements: () => pg.QueryConfig[] = () => []): Promise<T> {
  return runTransaction({ pool, preamble: [transactionPreamble(1, "write")], work, closingStatements });
}

const insert = (id: number) => ({ name: "insert_row", text: "insert into rows_in_flight values ($1)", values: [id] });
const failNow = (code: string) => ({ name: "fail_now", text: "select fail_now($1)", values: [code] });
const failLate = (code: string) => ({ name: "fail_late", text: "select fail_late($1)", values: [code] });

/** The rows so far, which go. */
async function takeRows(): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`with gone as (delete from rows_in_flight returning id)
    select id from gone order by id`.execute(database.db.system);
  return rows.map(({ id }) => id);
}

/** The connection is in no transaction and answers what it is asked. */
async function expectClean(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  const { rows } = await client.query<{ n: number }>("select 41 as n");
  expect([rows, client.getTransactionStatus()]).toEqual([[{ n: 41 }], "I"]);
  client.release();
}

describe.each(["pipeline", "explicit"] as const)("a statement left in flight (%s)", (kind) => {
  test.each([
    ["another behind it", (session: Session) => session.query(insert(8))],
    ["time between", () => sleep(50)],
    ["nothing behind it", () => Promise.resolve()],
  ])("is the transaction's error, and tried again after a deadlock, with %s", async (_, then) => {
    const pool = aPool(kind);
    let tries = 0;
    const retriedAfter: unknown[] = [];
    await withRetry(
      () =>
        run(pool, async (session) => {
          tries += 1;
          session.leave(tries < 3 ? failNow("40P01") : insert(7));
          await then(session);
        }),
      (error) => retriedAfter.push(error),
    );
    expect(tries).toBe(3);
    expect(retriedAfter).toMatchObject([{ code: "40P01" }, { code: "40P01" }]);
    expect(await takeRows()).toContain(7);
    await expectClean(pool);
  });

  test("holds no connection where it fails and the work, or the end, has an error of its own", async () => {
    const pool = aPool(kind);
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const began = performance.now();
    const swallowing = run(pool, async (session) => {
      await session.query({ text: "select 1" });
      session.leave(failLate("23505"));
      await session.query({ text: "select $1::json", values: [circular] }).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow();
    const ending = run(
      pool,
      async (session) => {
        await session.query({ text: "select 1" });
        session.leave(failLate("23505"));
      },
      () => {
        throw new TypeError("cannot be written");
      },
    );
    await expect(ending).rejects.toThrow("cannot be written");
    await expectClean(pool);
    // Until silent connections are ended, which is 20 s here.
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test("work that throws before it has begun to wait leaves nothing that runs later", async () => {
    const pool = aPool(kind);
    let session: Session | undefined;
    const throwing: Work<void> = (each) => {
      session = each;
      throw new Error("at once");
    };
    await expect(run(pool, throwing)).rejects.toThrow("at once");
    await expect(session!.query(insert(77))).rejects.toThrow("after the end");
    expect(() => session!.leave(insert(78))).toThrow("after the end");
    expect(await takeRows()).toEqual([]);
    await expectClean(pool);
  });
});

test("a branch that comes to the database when its transaction has ended is refused, and ends no process", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", note);
  onTestFinished(() => {
    process.removeAllListeners("unhandledRejection");
    others.forEach((each) => process.on("unhandledRejection", each));
  });
  let late: unknown;
  const slow = async (ctx: Ctx) => {
    await sleep(20);
    await sql`select 1`.execute(ctx.db).catch((error: unknown) => (late = error));
  };
  const failing = { name: "divide", text: "select 1 / 0" };
  const both = database.inCompany(402, (ctx) => Promise.all([slow(ctx), ctx.raw(failing, [])]));
  await expect(both).rejects.toThrow("division by zero");
  await expect.poll(() => String(late)).toContain("after the end");
  await sleep(30);
  expect(unhandled).toEqual([]);
});

test("an event that cannot be written fails the transaction, also behind a statement that nobody awaits", async () => {
  const saving = database.inCompany(403, async (ctx) => {
    ctx.emit({ type: "odd", payload: { amount: 1n } });
    ctx.leaveWithOutbox({ name: "insert_row", text: "insert into rows_in_flight values ($1)" }, [901]);
  });
  await expect(saving).rejects.toThrow("BigInt");
  expect(await takeRows()).toEqual([]);
});
