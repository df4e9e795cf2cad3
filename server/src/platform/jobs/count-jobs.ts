import { sql } from "kysely";
import type { Db } from "../db/index.ts";
import type { Metrics } from "../metrics/index.ts";
import { currentTaskName } from "./renamed-task.ts";
import type { RenamedTask } from "./renamed-task.ts";

const states = ["waiting", "running", "dead"] as const;

/** Gauges read from the database at each scrape: jobs by state and task, and the age of the oldest due job. */
export function measureJobs({ onScrape }: Metrics, db: Db, renamed: readonly RenamedTask[]): void {
  onScrape({ name: "prosa_jobs", help: "Jobs by state", labels: ["state"] }, async () => {
    const counts = await countJobs(db);
    return states.map((state) => ({
      labels: { state },
      value: counts.filter((each) => each.state === state).reduce((sum, { count }) => sum + count, 0),
    }));
  });
  onScrape({ name: "prosa_jobs_by_task", help: "Jobs by kind and state", labels: ["task", "state"] }, async () =>
    sumByName(await countJobs(db), renamed).map(({ task, state, count }) => ({
      labels: { task, state },
      value: count,
    })),
  );
  onScrape(
    { name: "prosa_jobs_oldest_seconds", help: "How long the oldest job that any process may run has been due" },
    async () => {
      const { rows } = await sql<{ seconds: number }>`
      select coalesce(greatest(extract(epoch from now() - min(run_at)), 0), 0)::float8 as seconds
      from jobs where state = 'live' and leased_by is null and affinity is null`.execute(db.system);
      return [{ value: rows[0]?.seconds ?? 0 }];
    },
  );
}

interface JobCount {
  readonly task: string;
  readonly state: (typeof states)[number];
  readonly count: number;
}

/** One count of each task and state, whichever of its names the table has. */
function sumByName(counts: readonly JobCount[], renamed: readonly RenamedTask[]): JobCount[] {
  const current = counts.map((each) => ({ ...each, task: currentTaskName(renamed, each.task) }));
  return [...Map.groupBy(current, ({ task, state }) => `${task} ${state}`).values()].map((same) => ({
    ...same[0]!,
    count: same.reduce((sum, { count }) => sum + count, 0),
  }));
}

async function countJobs(db: Db): Promise<readonly JobCount[]> {
  const { rows } = await sql<JobCount>`
    select task, count(*) as count,
      case when state = 'dead' then 'dead' when leased_by is null then 'waiting' else 'running' end as state
    from jobs group by 1, 3 order by 1, 3`.execute(db.system);
  return rows;
}
