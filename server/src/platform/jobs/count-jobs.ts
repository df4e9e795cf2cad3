import { sql } from "kysely";
import { jobPriorities, priorityOfRank } from "../job-priority.ts";
import type { Db } from "../db/index.ts";
import type { Metrics } from "../metrics/index.ts";
import { currentTaskName } from "./renamed-task.ts";
import type { RenamedTask } from "./renamed-task.ts";

const states = ["waiting", "running", "dead"] as const;

/** Gauges read from the database at each scrape: jobs by state and task, and those that are due, with the age of the oldest. */
export function measureJobs({ onScrape }: Metrics, db: Db, renamed: readonly RenamedTask[]): void {
  let counting: Promise<readonly JobCount[]> | undefined;
  /** The metrics of one scrape, which are read at the same time, share one count. */
  const count = () => (counting ??= countJobs(db).finally(() => (counting = undefined)));

  onScrape({ name: "prosa_jobs", help: "Jobs by state", labels: ["state"] }, async () => {
    const counts = await count();
    return states.map((state) => ({ labels: { state }, value: sumOf(counts.filter((each) => each.state === state)) }));
  });
  onScrape({ name: "prosa_jobs_by_task", help: "Jobs by kind and state", labels: ["task", "state"] }, async () =>
    sumByName(await count(), renamed).map(({ task, state, count: value }) => ({ labels: { task, state }, value })),
  );
  onScrape(
    {
      name: "prosa_jobs_due",
      help: "Depth of the queue: jobs that could run now, by priority; bound ones wait for the process of their line",
      labels: ["priority", "bound"],
    },
    async () => dueByKind(await count()).map(({ labels, due: value }) => ({ labels, value })),
  );
  onScrape(
    {
      name: "prosa_jobs_due_seconds",
      help: "Age of the queue: how long the oldest job that could run now has waited, by priority",
      labels: ["priority", "bound"],
    },
    async () => dueByKind(await count()).map(({ labels, seconds: value }) => ({ labels, value })),
  );
  onScrape(
    { name: "prosa_jobs_oldest_seconds", help: "How long the oldest job that any process may run has been due" },
    async () => {
      const free = (await count()).filter(({ isBound }) => !isBound);
      return [{ value: Math.max(0, ...free.map(({ overdueSeconds }) => overdueSeconds)) }];
    },
  );
}

interface JobCount {
  readonly task: string;
  readonly state: (typeof states)[number];
  readonly priority: number;
  readonly isBound: boolean;
  readonly count: number;
  /** Of those that could run now; how long the oldest has waited, in seconds. */
  readonly due: number;
  readonly dueSeconds: number;
  /** The same by the time that it was wanted for, which may lie before it was enqueued. */
  readonly overdueSeconds: number;
}

function sumOf(counts: readonly JobCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** One count of each task and state, whichever of its names the table has. */
function sumByName(counts: readonly JobCount[], renamed: readonly RenamedTask[]) {
  const current = counts.map((each) => ({ ...each, task: currentTaskName(renamed, each.task) }));
  return [...Map.groupBy(current, ({ task, state }) => `${task} ${state}`).values()].map((same) => ({
    task: same[0]!.task,
    state: same[0]!.state,
    count: sumOf(same),
  }));
}

/** Every kind has a value, so that an empty queue is 0 rather than nothing. */
function dueByKind(counts: readonly JobCount[]) {
  return jobPriorities.flatMap((priority) =>
    [false, true].map((isBound) => {
      const own = counts.filter((each) => each.isBound === isBound && priorityOfRank(each.priority) === priority);
      return {
        labels: { priority, bound: isBound ? "line" : "none" },
        due: own.reduce((sum, { due }) => sum + due, 0),
        seconds: Math.max(0, ...own.map(({ dueSeconds }) => dueSeconds)),
      };
    }),
  );
}

async function countJobs(db: Db): Promise<readonly JobCount[]> {
  const isDue = sql`state = 'live' and leased_by is null and run_at <= now()`;
  const { rows } = await sql<JobCount>`
    select task, priority, affinity is not null as "isBound", count(*)::int as count,
      case when state = 'dead' then 'dead' when leased_by is null then 'waiting' else 'running' end as state,
      count(*) filter (where ${isDue})::int as due,
      coalesce(extract(epoch from now() - min(greatest(run_at, created_at)) filter (where ${isDue})), 0)::float8 as "dueSeconds",
      coalesce(extract(epoch from now() - min(run_at) filter (where ${isDue})), 0)::float8 as "overdueSeconds"
    from jobs group by 1, 2, 3, 5 order by 1, 5`.execute(db.system);
  return rows;
}
