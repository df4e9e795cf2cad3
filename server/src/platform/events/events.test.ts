import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { onServer } from "#server/testing/server.ts";
import { openDatabase } from "../db/index.ts";
import type { Db } from "../db/index.ts";
import { createTail, eventsSince, pruneEvents } from "./index.ts";
import type { RecordedEvent, Tail } from "./index.ts";
import { canReplay } from "./events-since.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ max: 20 });
});
afterAll(() => database.drop());
beforeEach(() => sql`delete from event_log`.execute(database.db.system));

interface Heard {
  readonly tail: Tail;
  readonly events: RecordedEvent[];
  readonly cursors: string[];
  readonly resets: string[];
}

async function listening(db: Db = database.db): Promise<Heard> {
  const heard = { events: [] as RecordedEvent[], cursors: [] as string[], resets: [] as string[] };
  const tail = createTail({
    db,
    log: database.log,
    onEvents(batch, cursor) {
      heard.events.push(...batch);
      heard.cursors.push(cursor);
    },
    onReset: (cursor) => void heard.resets.push(cursor),
  });
  await tail.start();
  onTestFinished(() => tail.stop());
  return { tail, ...heard };
}

function happen(companyId: number, n = 0): Promise<void> {
  return database.inCompany(companyId, async (ctx) => ctx.emit({ type: "thing.happened", payload: { n } }));
}

const numbers = (events: readonly RecordedEvent[]) => events.map((event) => event.payload["n"]);

describe("the tail", () => {
  test("16 writers with aborts and pauses: nothing missed, doubled or in the wrong order", async () => {
    const heard = await listening();
    const things = 8;
    await database.inCompany(1, (ctx) =>
      sql`insert into jobs (company_id, task, payload, run_at, max_attempts, attempts)
        select 1, 'thing ' || n, '{}', now(), 1000000, 0 from generate_series(1, ${things}) n`.execute(ctx.db),
    );

    let saved = 0;
    async function write(writer: number): Promise<void> {
      for (let round = 0; round < 60; round += 1) {
        const thing = (writer * 7 + round) % things;
        const fails = (writer + round) % 10 === 0;
        const work = database.inCompany(1, async (ctx) => {
          const { rows } = await sql<{ attempts: number }>`update jobs set attempts = attempts + 1
            where task = ${`thing ${thing + 1}`} returning attempts`.execute(ctx.db);
          ctx.emit({ type: "thing.changed", payload: { thing, version: rows[0]?.attempts } });
          ctx.emit({ type: "thing.touched", payload: {} });
          if (round % 4 === 0) {
            await sql`select pg_sleep(0.005)`.execute(ctx.db);
          }
          if (fails) {
            throw new Error("planned");
          }
        });
        await work.then(
          () => (saved += 1),
          (error: Error) => expect(error.message).toBe("planned"),
        );
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
    await heard.tail.catchUp();

    expect(saved).toBeGreaterThan(800);
    expect(heard.events).toHaveLength(saved * 2);
    expect(new Set(heard.events.map((event) => event.id)).size).toBe(saved * 2);
    const changes = heard.events.filter((event) => event.type === "thing.changed");
    for (let thing = 0; thing < things; thing += 1) {
      const versions = changes
        .filter((event) => event.payload["thing"] === thing)
        .map((event) => event.payload["version"]);
      expect(versions).toEqual(versions.map((_, index) => index + 1));
    }
  });

  test("what comes while a batch is delivered is one batch, and until then the tail is behind", async () => {
    const first = Promise.withResolvers<void>();
    const batches: unknown[][] = [];
    const tail = createTail({
      db: database.db,
      log: database.log,
      async onEvents(batch) {
        batches.push(numbers(batch));
        await (batches.length === 1 && first.promise);
      },
      onReset: () => undefined,
    });
    await tail.start();
    onTestFinished(() => tail.stop());
    expect(tail.lagMs()).toBe(0);

    await happen(1, 0);
    const delivered = tail.catchUp();
    await expect.poll(() => batches).toEqual([[0]]);
    for (const n of [1, 2, 3, 4, 5]) {
      await happen(1, n);
    }
    expect(tail.lagMs()).toBeGreaterThan(0);
    first.resolve();
    await Promise.all([delivered, tail.catchUp()]);
    expect(batches).toEqual([[0], [1, 2, 3, 4, 5]]);
    expect(tail.lagMs()).toBe(0);
  });

  test("an open transaction does not hold up the others, and its event comes after its commit", async () => {
    const heard = await listening();
    const hold = Promise.withResolvers<void>();
    const isOpen = Promise.withResolvers<void>();
    const slow = database.inCompany(1, async (ctx) => {
      await sql`insert into event_log (company_id, type, payload) values (1, 'slow', '{"n": 1}')`.execute(ctx.db);
      isOpen.resolve();
      await hold.promise;
    });
    await isOpen.promise;
    await happen(1, 2);
    await heard.tail.catchUp();
    expect(numbers(heard.events)).toEqual([2]);

    hold.resolve();
    await slow;
    await heard.tail.catchUp();
    expect(numbers(heard.events)).toEqual([2, 1]);
  });

  test("a commit in another process wakes it, without waiting for the poll", async () => {
    const other = openDatabase({ url: database.url, log: database.log, max: 1, systemMax: 1 });
    onTestFinished(() => other.close());
    const arrived = Promise.withResolvers<void>();
    const tail = createTail({
      db: other,
      log: database.log,
      onEvents: () => arrived.resolve(),
      onReset: () => undefined,
    });
    // Its poll never comes: what arrives was woken.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await tail.start();
    onTestFinished(() => tail.stop());
    await other.listenNotify.ready();

    await happen(1);
    await arrived.promise;
  });

  test("a backlog longer than a page arrives whole and in order", async () => {
    const heard = await listening();
    await database.inCompany(1, async (ctx) => {
      for (let n = 0; n < 2_500; n += 1) {
        ctx.emit({ type: "thing.happened", payload: { n } });
      }
    });
    await heard.tail.catchUp();
    expect(numbers(heard.events)).toEqual(Array.from({ length: 2_500 }, (_, n) => n));
    // Inside the backlog the cursor stays behind it; the last one is past all of it.
    expect(heard.cursors).toHaveLength(3);
    const missedAfter = await Promise.all(
      heard.cursors.map((cursor) => eventsSince(database.db, cursor, { limit: 5_000 })),
    );
    expect(missedAfter.map((missed) => missed.kind === "events" && missed.events.length)).toEqual([2_500, 2_500, 0]);
  });

  test("a new epoch is announced once, and the stream goes on after it", async () => {
    const heard = await listening();
    await sql`update epoch set id = 'restored'`.execute(database.db.system);
    await heard.tail.catchUp();
    await happen(1, 7);
    await heard.tail.catchUp();
    expect(heard.resets).toHaveLength(1);
    expect(heard.resets[0]).toMatch(/^restored/);
    expect(numbers(heard.events)).toEqual([7]);
  });

  test("a listener that throws does not end the stream", async () => {
    let calls = 0;
    const tail = createTail({
      db: database.db,
      log: database.log,
      onReset: () => undefined,
      onEvents() {
        calls += 1;
        throw new Error("planned");
      },
    });
    await tail.start();
    onTestFinished(() => tail.stop());
    await happen(1);
    await tail.catchUp();
    await happen(1);
    await tail.catchUp();
    expect(calls).toBe(2);
  });
});

describe("a browser that comes back", () => {
  async function cursorNow(): Promise<string> {
    return (await eventsSince(database.db, "nothing I know")).cursor;
  }

  test("gets what its company missed, and a cursor to go on from", async () => {
    const cursor = await cursorNow();
    await happen(1, 1);
    await happen(2, 2);
    await happen(1, 3);
    const missed = await eventsSince(database.db, cursor, { companyId: 1 });
    expect(missed.kind === "events" && numbers(missed.events)).toEqual([1, 3]);
    expect(await eventsSince(database.db, missed.cursor, { companyId: 1 })).toMatchObject({
      kind: "events",
      events: [],
    });
  });

  test.each([
    ["an unknown text", async () => "10:20"],
    ["another epoch", async () => (await cursorNow()).replace(/^\w+/, "another")],
    ["a place ahead of the server", async () => (await cursorNow()).replace(/~.*/, "~90000000:90000000:")],
    ["a snapshot that makes no sense", async () => (await cursorNow()).replace(/~.*/, "~20:10:")],
  ])("is told to fetch anew for %s", async (_, cursor) => {
    expect(await eventsSince(database.db, await cursor())).toMatchObject({ kind: "refetch" });
  });

  test("must refetch when it missed too many events", async () => {
    const cursor = await cursorNow();
    await happen(1);
    await happen(1);
    expect(await eventsSince(database.db, cursor, { limit: 1 })).toMatchObject({ kind: "refetch" });
    expect(await eventsSince(database.db, cursor, { limit: 2 })).toMatchObject({ kind: "events" });
  });

  describe("while a transaction of another database is open, and the first of two events has been pruned", () => {
    let before: string;
    let between: string;
    let after: string;
    beforeEach(async () => {
      const endElsewhere = await beginElsewhere();
      before = await cursorNow();
      await happen(1, 1);
      await happen(1, 2);
      after = await cursorNow();
      const { rows } = await sql<{ next: string }>`
        update event_log set created_at = now() - interval '25 hours' where payload ->> 'n' = '1'
        returning (xid::text::bigint + 1)::text as next`.execute(database.db.system);
      const next = rows[0]?.next ?? "";
      // As it would be if all transactions up to that of the first event had ended, and none besides had begun.
      between = before.replace(/~.*/, `~${next}:${next}:`);
      expect(await pruneEvents(database.db)).toBe(1);
      return endElsewhere;
    });

    test("must refetch if it may have missed that one, and only then", async () => {
      expect(await eventsSince(database.db, before)).toMatchObject({ kind: "refetch" });
      const missed = await eventsSince(database.db, between);
      expect(missed.kind === "events" && numbers(missed.events)).toEqual([2]);
    });

    test("must refetch even when it has seen all, because an open transaction elsewhere may have events", async () => {
      expect(await eventsSince(database.db, after)).toMatchObject({ kind: "refetch" });
    });
  });

  /** Transaction ids belong to the whole server, and so do the cursors made of them. */
  async function beginElsewhere(): Promise<() => Promise<void>> {
    const [hasBegun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = onServer(database.url, async (client) => {
      await client.query("begin");
      await client.query("select pg_current_xact_id()");
      hasBegun.resolve();
      await mayEnd.promise;
    });
    await hasBegun.promise;
    return () => {
      mayEnd.resolve();
      return ended;
    };
  }

  test("must refetch after very many transactions", () => {
    const here = { epoch: "e", snapshot: "900000:900000:", prunedThrough: "0" };
    expect(canReplay({ epoch: "e", snapshot: "700000:700001:" }, here)).toBe(true);
    expect(canReplay({ epoch: "e", snapshot: "699999:700001:" }, here)).toBe(false);
  });
});
