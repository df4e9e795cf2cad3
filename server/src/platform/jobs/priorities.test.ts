import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { createMovedClock, systemClock } from "../clock/index.ts";
import type { NewJob } from "../ctx.ts";
import type { RawQuery } from "../db/index.ts";
import { jobPriorities } from "../job-priority.ts";
import type { JobPriority } from "../job-priority.ts";
import { allowanceOf, claimSteps } from "./claim-order.ts";
import { giveWay } from "./give-way.ts";
import { createJobRunner, NoRetry, retryDeadJob } from "./index.ts";
import type { JobHandler, JobRunner } from "./index.ts";
import { claimJobs } from "./job-store.ts";

const COMPANY = 1;
const clock = createMovedClock("2026-03-01T10:00:00Z");
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ clock, max: 10, systemMax: 6 });
});
afterAll(() => database.drop());
beforeEach(() => sql`delete from jobs`.execute(database.db.system));

type Sample = Partial<NewJob> & { readonly name?: string };

function enqueue(...jobs: Sample[]): Promise<void> {
  return database.inCompany(COMPANY, async (ctx) =>
    jobs.forEach(({ name, ...job }) => ctx.enqueue({ task: "note", payload: { name }, ...job })),
  );
}

function many(count: number, job: Sample): Sample[] {
  return Array.from({ length: count }, () => job);
}

function runnerOf(note: JobHandler, concurrency = 1): JobRunner {
  return createJobRunner({ db: database.db, tasks: { note }, clock, log: database.log, concurrency });
}

/** A runner of one slot, which writes down what it ran: the name or the priority. */
function createWitness() {
  const seen: string[] = [];
  const runner = runnerOf(async ({ payload, priority }) => void seen.push(String(payload["name"] ?? priority)));
  return { seen, runner };
}

async function waitingPriorities(): Promise<(JobPriority | undefined)[]> {
  const { rows } = await sql<{ priority: number }>`select priority from jobs order by id`.execute(database.db.system);
  return rows.map(({ priority }) => jobPriorities[priority]);
}

describe("browsers that get events late", () => {
  test("jobs that no person waits for give way before each transaction, and go on when the browsers have caught up (B-06)", async () => {
    let lagMs = 60_000;
    const seen: string[] = [];
    const note: JobHandler = async ({ priority }, { inCompany }) => inCompany(async () => void seen.push(priority));
    const runner = createJobRunner({ db: database.db, tasks: { note }, clock, log: database.log, lagMs: () => lagMs });
    await enqueue({ priority: "bulk" }, { priority: "notice" }, { priority: "bot" }, { priority: "interactive" });
    const drained = runner.drain();
    await expect.poll(() => seen).toEqual(["interactive"]);
    lagMs = 0;
    await drained;
    expect(seen.toSorted()).toEqual(["bot", "bulk", "interactive", "notice"]);
  });

  test("jobs are slowed, not stopped: a transaction waits a second at most, and not where the job has lost its lease", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { signal } = new AbortController();
    await giveWay("interactive", () => 60_000, signal);
    await giveWay("bulk", () => 60_000, AbortSignal.abort());

    let isOver = false;
    const waited = giveWay("bulk", () => 60_000, signal).then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(900);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    await waited;
  });
});

describe("order", () => {
  test("what a person waits for goes first, then the bot, notices and bulk (B-06)", async () => {
    const { seen, runner } = createWitness();
    for (const priority of jobPriorities.toReversed()) {
      await enqueue(...many(2, { priority }));
      clock.advance({ minutes: 1 });
    }
    await runner.drain();
    expect(seen).toEqual(jobPriorities.flatMap((priority) => [priority, priority]));
  });

  test("a person's fresh job does not wait for an old backlog of bulk (B-06)", async () => {
    const { seen, runner } = createWitness();
    await enqueue(...many(300, { priority: "bulk" }));
    clock.advance({ hours: 1 });
    await enqueue(...many(20, { priority: "interactive" }));
    await runner.drain();
    expect(seen.lastIndexOf("interactive")).toBeLessThan(24);
  });

  test("jobs of a release that knows no priorities run as notices (B-06)", async () => {
    const { seen, runner } = createWitness();
    await sql`insert into jobs (company_id, task, payload, run_at, max_attempts)
      values (${COMPANY}, 'note', '{"name": "before"}', ${clock.now()}, 5)`.execute(database.db.system);
    await enqueue({ priority: "bulk" }, { priority: "bot" });
    await runner.drain();
    expect(seen).toEqual(["bot", "before", "bulk"]);
  });

  test("a retry and a dead job that is tried again keep their priority (B-06)", async () => {
    const seen: string[] = [];
    const runner = runnerOf(async ({ attempt, priority }) => {
      seen.push(`${attempt} ${priority}`);
      if (seen.length < 3) {
        throw seen.length === 1 ? new Error("planned") : new NoRetry("planned");
      }
    });
    await enqueue({ priority: "interactive" });
    await runner.drain();
    clock.advance({ hours: 1 });
    await runner.drain();
    const { rows } = await sql<{ id: number }>`select id from jobs where state = 'dead'`.execute(database.db.system);
    await database.db.systemTx((tx) => retryDeadJob(tx, rows[0]?.id ?? 0));
    await runner.drain();
    expect(seen).toEqual(["1 interactive", "2 interactive", "1 interactive"]);
  });
});

describe("keys and lanes", () => {
  test("a more urgent job of its key raises the waiting one, a less urgent one lowers nothing (B-06)", async () => {
    await enqueue({ key: "send:1", priority: "bot" });
    await enqueue({ key: "send:1", priority: "interactive" });
    expect(await waitingPriorities()).toEqual(["interactive"]);
    await enqueue({ key: "send:1", priority: "bulk" });
    expect(await waitingPriorities()).toEqual(["interactive"]);
  });

  test("so it is within one transaction (B-06)", async () => {
    await enqueue({ key: "send:1", priority: "interactive" }, { key: "send:1" });
    expect(await waitingPriorities()).toEqual(["interactive"]);
  });

  test("what waits ahead of a person's job in its lane is as urgent as that job (B-06)", async () => {
    const { seen, runner } = createWitness();
    await enqueue(
      { name: "other", priority: "bot" },
      { name: "ahead", lane: "chat:1", key: "send:1", priority: "bulk" },
    );
    await enqueue({ name: "person", lane: "chat:1", priority: "interactive" });
    await runner.drain();
    expect(seen).toEqual(["ahead", "person", "other"]);
  });

  test("a job may raise the one of its key and those ahead in its lane at once (B-06)", async () => {
    const lane = "chat:1";
    await enqueue({ lane, priority: "bulk" }, { lane, key: "send:1", priority: "bulk" }, { lane: "chat:2" });
    await enqueue({ lane, key: "send:1", priority: "interactive" });
    expect(await waitingPriorities()).toEqual(["interactive", "interactive", "notice"]);
  });

  test("a lane does not go on with a less urgent job while a person waits (B-06)", async () => {
    const { seen, runner } = createWitness();
    await enqueue({ name: "first", lane: "chat:1", priority: "interactive" });
    await enqueue({ name: "later", lane: "chat:1", priority: "bulk" }, { name: "person", priority: "interactive" });
    await runner.drain();
    expect(seen).toEqual(["first", "person", "later"]);
  });

  test("a long lane gives its slot to a person within a few jobs (B-06)", async () => {
    const seen: string[] = [];
    const runner = runnerOf(async ({ priority }) => {
      if (seen.length === 0) {
        await enqueue({ priority: "interactive" });
      }
      seen.push(priority);
    });
    await enqueue(...many(30, { lane: "pictures:1", priority: "bulk" }));
    await runner.drain();
    expect(seen).toHaveLength(31);
    expect(seen.indexOf("interactive")).toBeLessThanOrEqual(5);
  });
});

describe("no starvation", () => {
  /** Each job of a person causes the next one, until all others have run. */
  function createStream(slots: number) {
    const seen: JobPriority[] = [];
    const lessUrgent = () => seen.filter((priority) => priority !== "interactive").length;
    const isOver = () => lessUrgent() === 9 || seen.length > 500;
    const runner = () =>
      runnerOf(async ({ priority }) => {
        seen.push(priority);
        if (priority === "interactive" && !isOver()) {
          await enqueue({ priority });
        }
      }, slots);
    return { seen, runner };
  }
  const others = jobPriorities.slice(1).flatMap((priority) => many(3, { priority }));

  test("a steady stream of people's jobs leaves each priority its share (B-06)", async () => {
    const { seen, runner } = createStream(1);
    await enqueue(...many(5, { priority: "interactive" }), ...others);
    await runner().drain();
    expect(seen.filter((priority) => priority === "bulk")).toHaveLength(3);
    expect(Math.max(...jobPriorities.slice(1).map((priority) => seen.lastIndexOf(priority)))).toBeLessThan(36);
  });

  test("so do two processes together (B-06)", async () => {
    const { seen, runner } = createStream(1);
    await enqueue(...many(10, { priority: "interactive" }), ...others);
    await Promise.all([runner().drain(), runner().drain()]);
    expect(seen.filter((priority) => priority === "bulk")).toHaveLength(3);
    expect(Math.max(...jobPriorities.slice(1).map((priority) => seen.lastIndexOf(priority)))).toBeLessThan(72);
  });

  test("an old backlog of bulk does not take the share of notices (B-06)", async () => {
    const { seen, runner } = createWitness();
    await enqueue(...many(100, { priority: "bulk" }));
    clock.advance({ hours: 1 });
    await enqueue(...many(60, { priority: "interactive" }), ...many(4, { priority: "notice" }));
    await runner.drain();
    expect(seen.lastIndexOf("notice")).toBeLessThan(45);
  });

  test("bound jobs do not starve the free ones of their priority (B-06)", async () => {
    const seen: string[] = [];
    const note: JobHandler = async ({ affinity }) => void seen.push(affinity ?? "free");
    const affinities = () => new Set(["line:1"]);
    await enqueue(...many(30, { affinity: "line:1" }), ...many(5, {}));
    const { db, log } = database;
    await createJobRunner({ db, log, clock, tasks: { note }, affinities, concurrency: 1 }).drain();
    expect(seen.lastIndexOf("free")).toBeLessThan(12);
  });
});

describe("slots", () => {
  test("long jobs of each priority leave a slot to the more urgent ones (B-06)", async () => {
    const goOn = Promise.withResolvers<void>();
    const began: JobPriority[] = [];
    const runner = createJobRunner({
      db: database.db,
      clock: systemClock,
      log: database.log,
      tasks: {
        async note({ priority }) {
          began.push(priority);
          await goOn.promise;
        },
      },
    });
    const beganOf = (wanted: JobPriority) => began.filter((priority) => priority === wanted).length;
    await runner.start();
    for (const [priority, slots] of [
      ["bulk", 5],
      ["notice", 1],
      ["bot", 1],
      ["interactive", 1],
    ] as const) {
      await enqueue(...many(10, { priority }));
      await expect.poll(() => beganOf(priority)).toBe(slots);
    }
    expect(began).toHaveLength(8);
    goOn.resolve();
    await expect.poll(() => began.length, { timeout: 10_000 }).toBe(40);
    await runner.stop();
  });

  test.each([
    [8, [], [8, 7, 6, 5]],
    [8, ["bulk", "bulk", "notice", "bot"], [4, 3, 3, 3]],
    [8, Array<JobPriority>(6).fill("notice"), [2, 1, 0, 0]],
    [2, [], [2, 1, 1, 1]],
    [1, [], [1, 1, 1, 1]],
    [1, ["interactive"], [0, 0, 0, 0]],
  ] as [number, JobPriority[], number[]][])("of %i slots with %j running there are %j left", (slots, running, left) => {
    expect(allowanceOf(slots, running)).toEqual(left);
  });
});

describe("100,000 waiting jobs", () => {
  const lines = Array.from({ length: 10 }, (_, n) => `line:${n}`);
  const allowance = allowanceOf(8, []);
  const steps = claimSteps({ limit: 8, allowance, kinds: ["bound", "free"], shares: ["bulk", "notice", "bot"] });

  interface PlanNode {
    readonly "Node Type": string;
    readonly "Relation Name"?: string;
    readonly "Actual Rows": number;
    readonly "Actual Loops": number;
    readonly "Rows Removed by Filter"?: number;
    readonly Plans?: readonly PlanNode[];
  }

  /** How many rows of `jobs` a claim reads, and the plan in one line. */
  async function explainClaim(client: pg.Client): Promise<{ readonly read: number; readonly plan: string }> {
    let plan: PlanNode | undefined;
    const explain: RawQuery = async ({ text }, values) => {
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...values]);
      plan = rows[0]["QUERY PLAN"][0].Plan;
      return [];
    };
    const claim = { runner: "me", now: systemClock.now(), tasks: ["note"], isWorker: true, affinities: lines };
    await client.query("begin");
    await claimJobs(explain, claim, { limit: 8, allowance, steps });
    await client.query("rollback");
    const nodes = plan ? flatten(plan) : [];
    const read = nodes
      .filter((node) => node["Relation Name"] === "jobs")
      .map((node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]);
    return { read: read.reduce((sum, count) => sum + count, 0), plan: JSON.stringify(plan) };
  }

  function flatten(node: PlanNode): PlanNode[] {
    return [node, ...(node.Plans ?? []).flatMap(flatten)];
  }

  test.each(["with statistics", "without statistics"])(
    "a claim reads as many as it takes, %s (B-06)",
    async (which) => {
      const own = await createTestDatabase({ closeAfterTest: true });
      const client = new pg.Client({ connectionString: own.url });
      await client.connect();
      try {
        await client.query("alter table jobs set (autovacuum_enabled = off)");
        await client.query(`insert into jobs (company_id, task, payload, lane, affinity, run_at, max_attempts, priority)
        select 1, 'note', '{}', case when n % 3 = 0 then 'chat:' || n end, case when n % 2 = 0 then 'line:' || n % 20 end,
          now() - interval '1 hour', 5, 3
        from generate_series(1, 100000) n`);
        if (which === "with statistics") {
          await client.query("analyze jobs");
        }
        for (const mode of ["force_custom_plan", "force_generic_plan"]) {
          await client.query(`set plan_cache_mode = ${mode}`);
          const { read, plan } = await explainClaim(client);
          expect(read).toBeLessThan(1_000);
          expect(plan).toContain("jobs_free_by_priority");
          expect(plan).toContain("jobs_bound_by_priority");
          expect(plan).not.toContain("Seq Scan");
        }
      } finally {
        await client.end();
      }
    },
  );
});
