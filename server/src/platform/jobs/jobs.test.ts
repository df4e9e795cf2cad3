import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { createMovedClock, systemClock } from "../clock/index.ts";
import type { NewJob } from "../ctx.ts";
import type { Db } from "../db/index.ts";
import { backOffSeconds } from "./back-off.ts";
import { completeWithin, createJobRunner, deleteDeadJob, RetryLater, NoRetry, retryDeadJob } from "./index.ts";
import type { Job, JobHandler, JobRunner, JobRunnerOptions } from "./index.ts";

const COMPANY = 1;
const clock = createMovedClock("2026-03-01T10:00:00Z");
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ clock, max: 10, systemMax: 6 });
});
afterAll(() => database.drop());
beforeEach(async () => {
  await sql`delete from jobs`.execute(database.db.system);
  await sql`delete from event_log`.execute(database.db.system);
});

function runnerOf(tasks: Record<string, JobHandler>, more: Partial<JobRunnerOptions> = {}): JobRunner {
  return createJobRunner({ db: database.db, tasks, clock, log: database.log, ...more });
}

function enqueue(...jobs: (Partial<NewJob> & { task: string })[]): Promise<void> {
  return database.inCompany(COMPANY, async (ctx) => jobs.forEach((job) => ctx.enqueue({ payload: {}, ...job })));
}

test("jobs that wait for a service have slots of their own: slow ones delay no other, and are limited too (O-08)", async () => {
  const events: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const slow: JobHandler = async () => {
    events.push("slow");
    await released;
  };
  const quick: JobHandler = async () => {
    events.push("quick");
    if (events.filter((each) => each === "quick").length === 10) {
      release();
    }
  };
  const other: JobHandler = async () => void events.push("other");
  await enqueue(...Array.from({ length: 30 }, () => ({ task: "slow", priority: "interactive" as const })));
  // one that waits for something else waits for none of these
  await enqueue({ task: "other", priority: "bot" });
  await enqueue(...Array.from({ length: 10 }, () => ({ task: "quick", priority: "bot" as const })));
  const waits = { waitingTasks: ["slow", "other"], waitingConcurrency: 5 };
  const runner = runnerOf({ slow, quick, other }, { concurrency: 2, ...waits });
  await runner.drain();
  expect(events.filter((each) => each === "slow")).toHaveLength(30);
  const slowBefore = events.slice(0, events.lastIndexOf("quick")).filter((each) => each === "slow").length;
  expect(slowBefore).toBeGreaterThanOrEqual(5);
  expect(slowBefore).toBeLessThan(8);
  expect(events.indexOf("other")).toBeLessThan(events.lastIndexOf("quick"));
});

async function waiting(): Promise<{ task: string; payload: unknown }[]> {
  const { rows } = await sql<{ task: string; payload: unknown }>`
    select task, payload from jobs where state = 'live' order by id`.execute(database.db.system);
  return rows;
}

async function deadJobs(): Promise<{ id: number; task: string; attempts: number; lastError: string | null }[]> {
  const { rows } = await sql<{ id: number; task: string; attempts: number; lastError: string | null }>`
    select id, task, attempts, last_error as "lastError" from jobs where state = 'dead' order by id`.execute(
    database.db.system,
  );
  return rows;
}

describe("running", () => {
  test("jobs run after their commit, with their payload and company, and leave nothing behind", async () => {
    const seen: unknown[] = [];
    const runner = runnerOf({ note: async (job) => void seen.push([job.companyId, job.payload["n"], job.attempt]) });
    await enqueue({ task: "note", payload: { n: 1 } }, { task: "note", payload: { n: 2 } });
    await runner.drain();
    expect(seen).toEqual([
      [COMPANY, 1, 1],
      [COMPANY, 2, 1],
    ]);
    expect(await waiting()).toEqual([]);
  });

  test("a started runner is woken by the commit, also for jobs that jobs enqueue", async () => {
    const finished = Promise.withResolvers<void>();
    const runner = runnerOf({
      first: (_, { inCompany }) => inCompany(async (ctx) => ctx.enqueue({ task: "second", payload: {} })),
      second: async () => finished.resolve(),
    });
    await database.db.listenNotify.ready();
    // Its poll never comes: what runs was woken.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await runner.start();
    onTestFinished(() => runner.stop());
    await enqueue({ task: "first" });
    await finished.promise;
  });

  test("a job waits for its time", async () => {
    let runs = 0;
    const runner = runnerOf({ later: async () => void (runs += 1) });
    await enqueue({ task: "later", runAt: new Date(clock.now().getTime() + 60_000) });
    await runner.drain();
    expect(runs).toBe(0);
    clock.advance({ minutes: 1 });
    await runner.drain();
    expect(runs).toBe(1);
  });

  test("an idle runner looks each ten seconds, and at each second for a job whose time has come", async () => {
    const ran = Promise.withResolvers<void>();
    let looks = 0;
    const db: Db = {
      ...database.db,
      systemRaw: (statement, values) => {
        looks += statement.name === "jobs_look" ? 1 : 0;
        return database.db.systemRaw(statement, values);
      },
    };
    const runner = runnerOf({ later: async () => ran.resolve() }, { db });
    await database.db.listenNotify.ready();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    await runner.start();
    onTestFinished(() => runner.stop());
    /** So many seconds pass; what a poll asks is answered in real time. */
    const seconds = async (count: number) => {
      for (let second = 0; second < count; second += 1) {
        vi.advanceTimersByTime(1_000);
        await sleep(20);
      }
    };
    await enqueue({ task: "later", runAt: new Date(clock.now().getTime() + 60_000) });
    await seconds(3); // the first looks again, as a job came
    looks = 0;
    await seconds(20);
    expect(looks).toBe(2);
    clock.advance({ minutes: 1 });
    await seconds(1);
    await ran.promise;
  });

  test("two runners share 200 jobs and run each once", async () => {
    const runs = new Map<unknown, number>();
    const tasks: Record<string, JobHandler> = {
      count: async (job) => void runs.set(job.payload["n"], (runs.get(job.payload["n"]) ?? 0) + 1),
    };
    await enqueue(...Array.from({ length: 200 }, (_, n) => ({ task: "count", payload: { n }, lane: `lane:${n % 7}` })));
    await Promise.all([runnerOf(tasks).drain(), runnerOf(tasks).drain()]);
    // One runner may find every lane busy and leave while the other goes on.
    await runnerOf(tasks).drain();
    expect(runs.size).toBe(200);
    expect(Math.max(...runs.values())).toBe(1);
  });

  test("a job of an unknown task is left to processes that know it", async () => {
    await enqueue({ task: "of the next version" });
    await runnerOf({ known: async () => undefined }).drain();
    expect(await waiting()).toHaveLength(1);
  });
});

describe("lanes", () => {
  test("keep their order over a retry, while others go on", async () => {
    const seen: string[] = [];
    const runner = runnerOf({
      say: async (job) => {
        if (job.payload["word"] === "one" && job.attempt < 3) {
          throw new Error("planned");
        }
        seen.push(String(job.payload["word"]));
      },
    });
    const say = (word: string, lane: string) => ({ task: "say", payload: { word }, lane });
    await enqueue(say("one", "chat:1"), say("two", "chat:1"), say("other", "chat:2"), say("three", "chat:1"));
    await runner.drain();
    expect(seen).toEqual(["other"]);
    clock.advance({ seconds: 1 });
    await runner.drain();
    expect(seen).toEqual(["other"]);
    clock.advance({ seconds: 2 });
    await runner.drain();
    expect(seen).toEqual(["other", "one", "two", "three"]);
  });

  test("a job that waits for something keeps its place and its tries", async () => {
    const seen: string[] = [];
    let isAway = true;
    const runner = runnerOf({
      say: async ({ payload, attempt }) => {
        if (isAway) {
          throw new RetryLater(2_000, "away");
        }
        seen.push(`${String(payload["word"])} ${attempt}`);
      },
    });
    const say = (word: string) => ({ task: "say", payload: { word }, lane: "chat:5", maxAttempts: 2 });
    await enqueue(say("one"), say("two"));
    for (let round = 0; round < 5; round += 1) {
      await runner.drain();
      clock.advance({ seconds: 2 });
    }
    isAway = false;
    await runner.drain();
    expect(seen).toEqual(["one 1", "two 1"]);
  });

  test("a job that got on has its tries again for the next step, and keeps its place", async () => {
    const seen: string[] = [];
    const runner = runnerOf({
      step: async ({ attempt, payload }) => {
        const step = `${String(payload["name"])} ${attempt}`;
        seen.push(step);
        if (attempt < 3) {
          throw new Error("planned");
        }
        if (seen.length < 9) {
          throw new RetryLater(2_000, "the next step", { isProgress: true });
        }
      },
    });
    const step = (name: string) => ({ task: "step", payload: { name }, lane: "steps:1", maxAttempts: 3 });
    await enqueue(step("long"), step("behind"));
    for (let round = 0; round < 12; round += 1) {
      await runner.drain();
      clock.advance({ seconds: 2 });
    }
    const tries = (name: string) => [1, 2, 3].map((attempt) => `${name} ${attempt}`);
    expect(seen).toEqual([...tries("long"), ...tries("long"), ...tries("long"), ...tries("behind")]);
    expect(await deadJobs()).toEqual([]);
  });

  test("run one job at a time", async () => {
    let inside = 0;
    let most = 0;
    const work: JobHandler = async (_, { inCompany }) => {
      inside += 1;
      most = Math.max(most, inside);
      await inCompany((ctx) => sql`select pg_sleep(0.002)`.execute(ctx.db));
      inside -= 1;
    };
    await enqueue(...Array.from({ length: 20 }, () => ({ task: "work", lane: "chat:3" })));
    await Promise.all([runnerOf({ work }).drain(), runnerOf({ work }).drain()]);
    await runnerOf({ work }).drain();
    expect(await waiting()).toEqual([]);
    expect(most).toBe(1);
  });

  test("a dead letter lets the lane go on", async () => {
    const seen: unknown[] = [];
    const runner = runnerOf({
      bad: () => Promise.reject(new Error("planned")),
      good: async () => void seen.push("good"),
    });
    await enqueue({ task: "bad", lane: "chat:4", maxAttempts: 1 }, { task: "good", lane: "chat:4" });
    await runner.drain();
    expect(seen).toEqual(["good"]);
  });

  test("failures wait 1, 2, 5, 10 s in a lane, and ever longer up to an hour without", () => {
    const inLane = [1, 2, 3, 4, 9].map((attempt) => backOffSeconds({ lane: "chat:1", attempt }));
    expect(inLane).toEqual([1, 2, 5, 10, 10]);
    const free = [1, 2, 3, 12].map((attempt) => backOffSeconds({ lane: null, attempt }, () => 0.5));
    expect(free).toEqual([2, 4, 8, 3_600]);
  });
});

describe("affinity", () => {
  test("a bound job runs only where its line is, a free one only on a worker", async () => {
    const seen: string[] = [];
    const note: JobHandler = async (job) => void seen.push(`${job.affinity}`);
    await enqueue({ task: "note", affinity: "line:7" }, { task: "note", affinity: "line:8" }, { task: "note" });

    await runnerOf({ note }, { isWorker: false, affinities: () => new Set(["line:7"]) }).drain();
    expect(seen).toEqual(["line:7"]);
    await runnerOf({ note }).drain();
    expect(seen).toEqual(["line:7", "null"]);
    await runnerOf({ note }, { affinities: () => new Set(["line:7", "line:8"]) }).drain();
    expect(seen).toEqual(["line:7", "null", "line:8"]);
  });
});

describe("keys", () => {
  test("a later job replaces the waiting one of its key", async () => {
    await enqueue({ task: "sum", key: "sum:1", payload: { n: 1 } });
    await enqueue({ task: "sum", key: "sum:1", payload: { n: 2 } }, { task: "sum", key: "sum:1", payload: { n: 3 } });
    expect(await waiting()).toEqual([{ task: "sum", payload: { n: 3 } }]);
  });

  test("the key of a running job is free, and its failure gives way to the newer one", async () => {
    const seen: unknown[] = [];
    const runner = runnerOf({
      sum: async (job) => {
        seen.push(job.payload["n"]);
        if (job.payload["n"] === 1) {
          await enqueue({ task: "sum", key: "sum:2", payload: { n: 2 } });
          throw new Error("planned");
        }
      },
    });
    await enqueue({ task: "sum", key: "sum:2", payload: { n: 1 } });
    await runner.drain();
    clock.advance({ hours: 2 });
    await runner.drain();
    expect(seen).toEqual([1, 2]);
    expect(await waiting()).toEqual([]);
  });

  test("one that is due as it waits already is not written again; a later time or another payload is", async () => {
    const place = async () =>
      (await sql<{ ctid: string }>`select ctid::text from jobs where key = 'sum:4'`.execute(database.db.system)).rows;
    await enqueue({ task: "sum", key: "sum:4", payload: { n: 1 } });
    const first = await place();
    await enqueue({ task: "sum", key: "sum:4", payload: { n: 1 } });
    expect(await place()).toEqual(first);
    await enqueue({ task: "sum", key: "sum:4", payload: { n: 2 } });
    const second = await place();
    expect(second).not.toEqual(first);
    await enqueue({ task: "sum", key: "sum:4", payload: { n: 2 }, runAt: new Date(clock.now().getTime() + 60_000) });
    expect(await place()).not.toEqual(second);
  });

  test("two companies may use the same key", async () => {
    await enqueue({ task: "sum", key: "sum:3" });
    await database.inCompany(2, async (ctx) => ctx.enqueue({ task: "sum", key: "sum:3", payload: {} }));
    expect(await waiting()).toHaveLength(2);
  });
});

describe("dead letters", () => {
  async function oneDead(): Promise<number> {
    await runnerOf({ bad: () => Promise.reject(new NoRetry("the receiver is gone")) }).drain();
    const [dead] = await deadJobs();
    expect(dead).toMatchObject({ task: "bad", attempts: 1, lastError: "NoRetry: the receiver is gone" });
    return dead?.id ?? 0;
  }

  test("the company gets the event job.dead", async () => {
    await enqueue({ task: "bad", payload: { n: 1 } });
    const id = await oneDead();
    const { rows } = await sql`select company_id, type, payload from event_log`.execute(database.db.system);
    expect(rows).toEqual([{ company_id: COMPANY, type: "job.dead", payload: { jobId: id, task: "bad" } }]);
  });

  test("can be tried again or thrown away", async () => {
    await enqueue({ task: "bad", payload: { n: 1 } });
    const id = await oneDead();
    expect(await database.db.systemTx((tx) => retryDeadJob(tx, id))).toBe(true);
    let runs = 0;
    await runnerOf({ bad: async () => void (runs += 1) }).drain();
    expect(runs).toBe(1);

    await enqueue({ task: "bad" });
    const other = await oneDead();
    expect(await database.db.systemTx((tx) => deleteDeadJob(tx, other))).toBe(true);
    expect(await deadJobs()).toEqual([]);
  });

  test("one that is tried again does not replace what was asked for since, under the same key", async () => {
    await enqueue({ task: "bad", key: "once", payload: { n: "old" } });
    const id = await oneDead();
    await enqueue({ task: "bad", key: "once", payload: { n: "new" } });
    expect(await database.db.systemTx((tx) => retryDeadJob(tx, id))).toBe(true);
    expect([await deadJobs(), await waiting()]).toEqual([[], [{ task: "bad", payload: { n: "new" } }]]);
    expect(await database.db.systemTx((tx) => retryDeadJob(tx, id))).toBe(false);
  });

  test("come after the last try, not before", async () => {
    let runs = 0;
    const runner = runnerOf({
      bad: async () => {
        runs += 1;
        throw new Error("planned");
      },
    });
    await enqueue({ task: "bad", maxAttempts: 3 });
    for (const expected of [1, 2, 3, 3]) {
      await runner.drain();
      expect(runs).toBe(expected);
      clock.advance({ hours: 2 });
    }
  });
});

test("a job that arrives while all slots are busy runs when one is free", async () => {
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  const runner = runnerOf(
    {
      slow: async () => {
        done.push("slow began");
        await gate.promise;
      },
      next: async () => void done.push("next"),
    },
    { clock: systemClock, concurrency: 1 },
  );
  await runner.start();
  await enqueue({ task: "slow" });
  await expect.poll(() => done).toEqual(["slow began"]);
  await enqueue({ task: "next" });
  runner.wake();
  gate.resolve();
  await expect.poll(() => done).toEqual(["slow began", "next"]);
  await runner.stop();
});

describe("leases", () => {
  const lapse = () =>
    sql`update jobs set leased_until = now() - interval '1 s' where leased_by is not null`.execute(database.db.system);

  /** A process that holds the first of the jobs is killed. */
  async function killWhoRuns() {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, "hanging-runner.fixture.ts"), database.url]);
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  test("the job of a process that was killed elsewhere runs again when its lease has ended", async () => {
    await enqueue({ task: "hang", lane: "chat:5" }, { task: "hang", lane: "chat:5" });
    await killWhoRuns();
    await sql`update jobs set leased_by = 'elsewhere:1:ab12', leased_until = now() + interval '1 hour'
      where leased_by is not null`.execute(database.db.system);

    const attempts: number[] = [];
    const runner = runnerOf({ hang: async (job) => void attempts.push(job.attempt) }, { clock: systemClock });
    await runner.drain();
    expect(attempts).toEqual([]);
    await lapse();
    await runner.drain();
    expect(attempts).toEqual([2, 1]);
  });

  test.runIf(process.platform === "linux")("one that died on this machine is not waited for", async () => {
    await enqueue({ task: "hang", lane: "chat:6" }, { task: "hang", lane: "chat:6" });
    await killWhoRuns();
    const attempts: number[] = [];
    await runnerOf({ hang: async (job) => void attempts.push(job.attempt) }, { clock: systemClock }).drain();
    // The server may still carry out what the dead process had asked for, and count one attempt more.
    expect(attempts).toEqual([expect.toSatisfy((attempt: number) => attempt >= 2), 1]);
  });

  test("a job that kills its process each time is buried", async () => {
    await enqueue({ task: "crash", maxAttempts: 1 });
    await sql`update jobs set attempts = 1, leased_by = 'gone', leased_until = now() - interval '1 s'`.execute(
      database.db.system,
    );
    await runnerOf({ crash: async () => undefined }).drain();
    const [dead] = await deadJobs();
    expect(dead).toMatchObject({ task: "crash", lastError: "The process gone went away" });
  });

  /** A started runner of one task, whose runs go on until they are let go; its next poll comes with `poll`, its next renewal never. */
  async function aPatientRunner() {
    const runs: { readonly attempt: number; readonly signal: AbortSignal; readonly end: () => void }[] = [];
    const runner = runnerOf({
      slow: ({ attempt }, { signal }) => new Promise((end) => runs.push({ attempt, signal, end })),
    });
    await database.db.listenNotify.ready();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    await runner.start();
    onTestFinished(() => runner.stop());
    onTestFinished(() => runs.forEach(({ end }) => end()));
    const isLeased = async () =>
      (await sql`select from jobs where leased_until > now()`.execute(database.db.system)).rows.length === 1;
    return { runner, runs, isLeased, attempts: () => runs.map(({ attempt }) => attempt) };
  }

  test.each([5, 1])(
    "a job that still runs when the database is back after its lease has ended is not begun again, of %i attempts",
    async (maxAttempts) => {
      const { runs, attempts, isLeased } = await aPatientRunner();
      await enqueue({ task: "slow", maxAttempts });
      await expect.poll(attempts).toEqual([1]);
      await lapse();
      vi.advanceTimersByTime(1_000);
      await expect.poll(isLeased).toBe(true);
      runs[0]?.end();
      await expect.poll(waiting).toEqual([]);
      expect([attempts(), await deadJobs()]).toEqual([[1], []]);
    },
  );

  test("a run whose job another process released, and that begins here once more, is told so and leaves the later one its lease", async () => {
    const { runner, runs, attempts, isLeased } = await aPatientRunner();
    await enqueue({ task: "slow" });
    await expect.poll(attempts).toEqual([1]);
    await sql`update jobs set leased_by = null, leased_until = null`.execute(database.db.system);
    runner.wake();
    await expect.poll(attempts).toEqual([1, 2]);
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);

    runs[0]?.end();
    await sleep(50); // its outcome, which nobody wants, is saved
    await lapse();
    vi.advanceTimersByTime(1_000);
    await expect.poll(isLeased).toBe(true);
    runs[1]?.end();
    await expect.poll(waiting).toEqual([]);
    expect(attempts()).toEqual([1, 2]);
  });

  test("completeWithin saves rows and end together; a lost lease saves neither", async () => {
    const entered = Promise.withResolvers<Job>();
    const goOn = Promise.withResolvers<void>();
    const late = runnerOf({
      effect: async (job, { inCompany }) => {
        entered.resolve(job);
        await goOn.promise;
        await inCompany(async (ctx) => {
          ctx.emit({ type: "effect", payload: { attempt: job.attempt } });
          await completeWithin(ctx, job);
        });
      },
    });
    const quick = runnerOf({
      effect: (job, { inCompany }) =>
        inCompany(async (ctx) => {
          ctx.emit({ type: "effect", payload: { attempt: job.attempt } });
          await completeWithin(ctx, job);
        }),
    });
    await enqueue({ task: "effect" });
    const first = late.drain();
    await entered.promise;
    await quick.drain();
    expect(await waiting()).toHaveLength(1);
    await lapse();
    await quick.drain();
    goOn.resolve();
    await first;

    const { rows } = await sql`select payload from event_log where type = 'effect'`.execute(database.db.system);
    expect(rows).toEqual([{ payload: { attempt: 2 } }]);
    expect(await waiting()).toEqual([]);
  });

  test("stop waits for the running job and claims no more", async () => {
    const entered = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let ended = 0;
    const runner = runnerOf(
      {
        slow: async () => {
          entered.resolve();
          await goOn.promise;
          ended += 1;
        },
      },
      { concurrency: 1 },
    );
    await enqueue({ task: "slow" }, { task: "slow" });
    await runner.start();
    await entered.promise;
    const stopped = runner.stop();
    goOn.resolve();
    await stopped;
    expect(ended).toBe(1);
    expect(await waiting()).toHaveLength(1);
  });
});
