import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { createMovedClock } from "../clock/index.ts";
import { createJobRunner, currentTaskName, renamedTask } from "./index.ts";
import type { Cron, JobHandler, JobRunnerOptions } from "./index.ts";

const COMPANY = 1;
const clock = createMovedClock("2026-03-01T10:00:00Z");
/** As in the release that renames the task: one that knows only the former name may run beside it. */
const task = renamedTask("lines.rpc", { formerName: "lines.ask", since: "2.0.0" }, "1.0.0");

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ clock });
});
afterAll(() => database.drop());
beforeEach(() => sql`delete from jobs`.execute(database.db.system));

const runnerOf = (tasks: Record<string, JobHandler>, more: Partial<JobRunnerOptions> = {}) =>
  createJobRunner({ db: database.db, tasks, clock, log: database.log, ...more });

const tasksInTable = async (): Promise<string[]> => {
  const { rows } = await sql<{ task: string }>`select task from jobs order by id`.execute(database.db.system);
  return rows.map((row) => row.task);
};

test.each([
  ["1.4.0", "lines.ask"],
  ["2.0.0", "lines.rpc"],
  ["2.1.0", "lines.rpc"],
])("beside release %s it is enqueued as %s", (worksBeside, expected) => {
  expect(renamedTask("lines.rpc", { formerName: "lines.ask", since: "2.0.0" }, worksBeside).enqueuedAs).toBe(expected);
});

test("jobs of either name run once, in the order of their lane, under the current name", async () => {
  const seen: string[] = [];
  const rpc: JobHandler = async (job) => void seen.push(`${job.task} ${String(job.payload["n"])}`);
  const bound = { lane: "chat:1", affinity: "line:7" };
  await database.inCompany(COMPANY, async (ctx) => {
    ctx.enqueue({ task: task.formerName, payload: { n: 1 }, ...bound });
    ctx.enqueue({ task: task.name, payload: { n: 2 }, ...bound });
    ctx.enqueue({ task: task.formerName, payload: { n: 3 }, ...bound });
  });
  const options = { renamedTasks: [task], affinities: () => new Set(["line:7"]) };
  await Promise.all([runnerOf({ "lines.rpc": rpc }, options).drain(), runnerOf({ "lines.rpc": rpc }, options).drain()]);
  // One runner may find the lane busy and leave while the other goes on.
  await runnerOf({ "lines.rpc": rpc }, options).drain();

  expect(seen).toEqual(["lines.rpc 1", "lines.rpc 2", "lines.rpc 3"]);
  expect(await tasksInTable()).toEqual([]);
});

test("a process of the release before runs what this release enqueues for its lines", async () => {
  let runs = 0;
  await database.inCompany(COMPANY, async (ctx) =>
    ctx.enqueue({ task: task.enqueuedAs, payload: {}, affinity: "line:7" }),
  );
  await runnerOf({ "lines.ask": async () => void (runs += 1) }, { affinities: () => new Set(["line:7"]) }).drain();
  expect(runs).toBe(1);
});

test("a runner without the task leaves jobs of both names to others", async () => {
  await database.inCompany(COMPANY, async (ctx) => ctx.enqueue({ task: task.formerName, payload: {} }));
  await runnerOf({}, { renamedTasks: [task] }).drain();
  expect(await tasksInTable()).toEqual(["lines.ask"]);
});

test("the event of a dead letter has the current name", async () => {
  await database.inCompany(COMPANY, async (ctx) => ctx.enqueue({ task: task.formerName, payload: {}, maxAttempts: 1 }));
  const rpc = () => Promise.reject(new Error("planned"));
  await runnerOf({ "lines.rpc": rpc }, { renamedTasks: [task] }).drain();
  const { rows } = await sql<{ task: string }>`select payload ->> 'task' as task from event_log
    where type = 'job.dead'`.execute(database.db.system);
  expect(rows).toEqual([{ task: "lines.rpc" }]);
  expect(currentTaskName([task], "lines.ask")).toBe("lines.rpc");
  expect(currentTaskName([task], "media.fetch")).toBe("media.fetch");
});

test("a renamed cron keeps its row and runs once for each time beside the release before", async () => {
  let runs = 0;
  const run = async () => void (runs += 1);
  const before: Cron = { name: "merges.forget", everySeconds: 60, run };
  const now: Cron = {
    name: "merges.prune",
    formerly: { formerName: "merges.forget", since: "999.0.0" },
    everySeconds: 60,
    run,
  };
  const runners = [before, now].map((cron) => runnerOf({}, { crons: [cron] }));
  for (const runner of runners) {
    await runner.drain();
  }
  clock.advance({ minutes: 1 });
  await Promise.all(runners.map((runner) => runner.drain()));
  await Promise.all(runners.map((runner) => runner.drain()));
  expect(runs).toBe(1);
});
