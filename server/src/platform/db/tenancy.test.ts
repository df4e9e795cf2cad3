import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import type { Ctx } from "../ctx.ts";
import { transactionPreamble } from "./transactions/transaction-preamble.ts";
import { appPool } from "./pools/pools.ts";
import { countStatements } from "./transactions/count-statements.ts";
import { runTransaction } from "./transactions/transaction.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
});
afterAll(() => database.drop());

/** The dead-letter list of a company, read without naming the company: the policy alone decides. */
async function tasksSeen(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.raw<{ task: string }>({ name: "tasks", text: "select task from jobs order by id" }, []);
  return rows.map((row) => row.task);
}

async function save(ctx: Ctx, task: string, companyId = ctx.companyId): Promise<void> {
  await sql`insert into jobs (company_id, task, payload, run_at, max_attempts)
    values (${companyId}, ${task}, '{}', now(), 1)`.execute(ctx.db);
}

describe("row-level security", () => {
  test("a company sees its own rows without any WHERE, and none of another", async () => {
    await database.inCompany(101, (ctx) => save(ctx, "mine"));
    expect(await database.inCompany(101, tasksSeen)).toEqual(["mine"]);
    expect(await database.inCompany(102, tasksSeen)).toEqual([]);
  });

  test("a row of another company can be neither written nor changed", async () => {
    await database.inCompany(103, (ctx) => save(ctx, "theirs"));
    await expect(database.inCompany(104, (ctx) => save(ctx, "planted", 103))).rejects.toThrow(/row-level security/);
    const changed = await database.inCompany(104, (ctx) => sql`update jobs set task = 'stolen'`.execute(ctx.db));
    expect(changed.numAffectedRows).toBe(0n);
    expect(await database.inCompany(103, tasksSeen)).toEqual(["theirs"]);
  });

  test("the company is forgotten with its transaction, also after a failure, on the same connection", async () => {
    const pool = appPool({ url: database.url, log: database.log, max: 1 });
    onTestFinished(() => pool.end());
    const seen = { text: "select current_setting('app.company_id', true) company, (select count(*) from jobs) jobs" };
    const inTransaction = (fails: boolean) =>
      runTransaction({
        pool,
        preamble: [transactionPreamble(105, "write")],
        closingStatements: () => [],
        work: async (session) => {
          const { rows } = await session.query(fails ? { text: "select 1 / 0" } : seen);
          return rows;
        },
      });

    await database.inCompany(105, (ctx) => save(ctx, "mine"));
    expect(await inTransaction(false)).toEqual([{ company: "105", jobs: 1 }]);
    expect((await pool.query(seen)).rows).toEqual([{ company: "", jobs: 0 }]);
    await expect(inTransaction(true)).rejects.toThrow("division by zero");
    expect((await pool.query(seen)).rows).toEqual([{ company: "", jobs: 0 }]);
  });

  test("a connection that never had a company sees nothing", async () => {
    const pool = appPool({ url: database.url, log: database.log, max: 1 });
    onTestFinished(() => pool.end());
    await database.inCompany(106, (ctx) => save(ctx, "mine"));
    expect((await pool.query("select * from jobs")).rows).toEqual([]);
    await expect(pool.query("select * from event_log")).rejects.toThrow(/permission denied/);
  });

  test("500 mixed transactions on 4 connections leak nothing", async () => {
    const companies = Array.from({ length: 10 }, (_, index) => 200 + index);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 500 }, (_, index) => {
        const company = companies[index % companies.length] ?? 0;
        return database.inCompany(company, async (ctx) => {
          await save(ctx, String(company));
          const seen = new Set(await tasksSeen(ctx));
          expect([...seen]).toEqual([String(company)]);
          if (index % 5 === 1) {
            throw new Error("planned");
          }
          if (index % 5 === 2) {
            await sql`select 1 / 0`.execute(ctx.db);
          }
          if (index % 5 === 3) {
            await Promise.all([sql`select 1 / 0`.execute(ctx.db), tasksSeen(ctx)]);
          }
        });
      }),
    );
    const reasons = new Set(outcomes.map((outcome) => (outcome.status === "rejected" ? String(outcome.reason) : "ok")));
    expect([...reasons].sort()).toEqual(["Error: planned", "error: division by zero", "ok"]);
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(200);
  });
});

describe("the tenant transaction", () => {
  test("an error that the work swallowed does not look committed", async () => {
    const swallowing = database.inCompany(301, async (ctx) => {
      await save(ctx, "lost");
      await sql`select 1 / 0`.execute(ctx.db).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow(/Transaction rolled back/);
    expect(await database.inCompany(301, tasksSeen)).toEqual([]);
  });

  test("the commit follows a statement whose answer nobody awaits, and fails with its error", async () => {
    await database.inCompany(311, (ctx) => {
      save(ctx, "left in flight").catch(() => undefined);
      return Promise.resolve();
    });
    expect(await database.inCompany(311, tasksSeen)).toEqual(["left in flight"]);

    const failing = database.inCompany(311, async (ctx) => {
      await save(ctx, "lost");
      sql`select 1 / 0`.execute(ctx.db).catch(() => undefined);
      ctx.emit({ type: "thing.happened", payload: { id: 1 } });
    });
    await expect(failing).rejects.toThrow("division by zero");
    expect(await database.inCompany(311, tasksSeen)).toEqual(["left in flight"]);
  });

  test("rows, events and jobs are saved together or not at all", async () => {
    const work = (fails: boolean) => async (ctx: Ctx) => {
      ctx.emit({ type: "thing.happened", payload: { id: 1 } });
      ctx.emit({ type: "thing.ended", payload: { id: 1 } });
      ctx.enqueue({ task: "tell", payload: { id: 1 }, lane: "thing:1" });
      if (fails) {
        throw new Error("no");
      }
    };
    await expect(database.inCompany(302, work(true))).rejects.toThrow("no");
    await database.inCompany(302, work(false));
    const events = await database.db.systemTx((tx) =>
      tx.raw<{ type: string }>(
        { name: "e", text: "select type from event_log where company_id = 302 order by id" },
        [],
      ),
    );
    expect(events.map((event) => event.type)).toEqual(["thing.happened", "thing.ended"]);
    expect(await database.inCompany(302, tasksSeen)).toEqual(["tell"]);
  });

  test("a statement after the end is refused instead of running in another transaction", async () => {
    const leaked = await database.inCompany(303, async (ctx) => ctx);
    await expect(tasksSeen(leaked)).rejects.toThrow(/after the end of its transaction/);
  });

  test("a deadlock is retried when the caller allows it", async () => {
    await database.inCompany(304, async (ctx) => {
      await save(ctx, "a");
      await save(ctx, "b");
    });
    const [bothHold, gate] = [Promise.withResolvers<void>(), { holders: 0 }];
    const swap = (first: string, second: string) =>
      database.db.inCompany(
        {
          actor: { kind: "system", companyId: 304, reason: "test" },
          companyId: 304,
          log: database.log,
          clock: { now: () => new Date() },
          retry: true,
        },
        async (ctx) => {
          await sql`select from jobs where task = ${first} for update`.execute(ctx.db);
          gate.holders += 1;
          if (gate.holders === 2) {
            bothHold.resolve();
          }
          await bothHold.promise;
          await sql`select from jobs where task = ${second} for update`.execute(ctx.db);
          return first;
        },
      );
    expect(await Promise.all([swap("a", "b"), swap("b", "a")])).toEqual(["a", "b"]);
    expect(gate.holders).toBe(3);
  });

  test("reading cannot write, emit or enqueue", async () => {
    const scope = {
      actor: { kind: "system" as const, companyId: 305, reason: "test" },
      companyId: 305,
      log: database.log,
      clock: { now: () => new Date() },
    };
    await expect(database.db.read(scope, (ctx) => save(ctx, "x"))).rejects.toMatchObject({
      name: "WriteInRead",
      message: expect.stringContaining("read-only transaction"),
    });
    await expect(database.db.read(scope, async (ctx) => ctx.emit({ type: "x", payload: {} }))).rejects.toThrow(
      /read-only/,
    );
  });

  test("statements are counted over the transactions of a piece of work", async () => {
    const counted = await countStatements(async () => {
      await database.inCompany(306, (ctx) => save(ctx, "one"));
      return database.db.readOne(306, { name: "tasks", text: "select task from jobs order by id" }, []);
    });
    expect(counted.result).toEqual([{ task: "one" }]);
    expect(counted.transactions).toBe(2);
    expect(counted.statements).toHaveLength(2);
    // each with the company; Kysely's transaction is told once to plan by values
    expect(counted.inAll).toBe(2 + 2 + 1);
  });

  test("named statements are planned once a connection, also those that write, and Kysely's by their values", async () => {
    const named = { name: "kept", text: "update jobs set payload = payload where company_id = $1 and id = $2" };
    const plans = { name: "plans", text: "select generic_plans::int, custom_plans::int from pg_prepared_statements" };
    const seen = await database.inCompany(308, async (ctx) => {
      await ctx.raw(named, [308, 1]);
      await ctx.raw(named, [308, 2]);
      const rows = await ctx.raw({ ...plans, text: `${plans.text} where name = 'kept'` }, []);
      const { rows: modes } = await sql<{ mode: string }>`select current_setting('plan_cache_mode') mode`.execute(
        ctx.db,
      );
      return [...rows, ...modes];
    });
    expect(seen).toEqual([{ generic_plans: 2, custom_plans: 0 }, { mode: "auto" }]);
  });

  test("events are stored with the statement that is told so, in the order of emit, and once", async () => {
    const event = (type: string) => ({ type, payload: {} });
    const touch = { name: "touch", text: "with seen as (select $1::int as id) select id from seen" };
    const { inAll } = await countStatements(() =>
      database.inCompany(309, async (ctx) => {
        ctx.emit(event("first"));
        ctx.emit(event("second"));
        expect(await ctx.rawWithOutbox(touch, [7])).toEqual([{ id: 7 }]);
        ctx.emit(event("third"));
      }),
    );
    expect(inAll).toBe(3);
    const { rows } = await sql`select type from event_log where company_id = 309 order by id`.execute(
      database.db.system,
    );
    expect(rows).toEqual([{ type: "first" }, { type: "second" }, { type: "third" }]);
  });

  test("so are jobs, each once, of one lane or several, with what is enqueued later in a statement of its own", async () => {
    const job = (task: string, more: object = {}) => ({ task, payload: {}, runAt: new Date("2100-01-01"), ...more });
    const touch = { name: "touch", text: "select $1::int as id" };
    const { inAll } = await countStatements(() =>
      database.inCompany(310, async (ctx) => {
        ctx.emit({ type: "told", payload: {} });
        ctx.enqueue(job("plain", { key: "same" }));
        ctx.enqueue(job("replaced", { key: "same" }));
        ctx.enqueue(job("in lane", { lane: "a" }));
        ctx.enqueue(job("in another", { lane: "b" }));
        expect(await ctx.rawWithOutbox(touch, [7])).toEqual([{ id: 7 }]);
        ctx.enqueue(job("urgent", { lane: "a", priority: "interactive" }));
        ctx.emit({ type: "told later", payload: {} });
      }),
    );
    expect(inAll).toBe(3);
    const { rows: jobs } = await sql<{ task: string; priority: number }>`
      select task, priority from jobs where company_id = 310 order by id`.execute(database.db.system);
    expect(jobs.map(({ task }) => task)).toEqual(["replaced", "in lane", "in another", "urgent"]);
    // What waits ahead of it in the lane is as urgent.
    expect(jobs[1]?.priority).toBe(jobs[3]?.priority);
    expect(jobs[2]?.priority).toBeGreaterThan(jobs[3]!.priority);
    const { rows: told } = await sql`select type from event_log where company_id = 310 order by id`.execute(
      database.db.system,
    );
    expect(told).toEqual([{ type: "told" }, { type: "told later" }]);
  });

  test("bigint and numeric come as numbers, a day as text", async () => {
    const row = await database.inCompany(307, (ctx) =>
      sql`select 5::int8 a, 1.5::numeric b, '2026-03-01'::date c, '{1,2,NULL}'::int8[] d`.execute(ctx.db),
    );
    expect(row.rows).toEqual([{ a: 5, b: 1.5, c: "2026-03-01", d: [1, 2, null] }]);
  });
});
