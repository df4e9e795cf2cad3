import { sql } from "kysely";
import type { Db } from "../db/index.ts";

/** Jobs by what they are doing, for the metrics: waiting for their time or a worker, running, dead. */
export async function countJobs(db: Db): Promise<Readonly<Record<"waiting" | "running" | "dead", number>>> {
  const { rows } = await sql<{ waiting: number; running: number; dead: number }>`
    select count(*) filter (where state = 'live' and leased_by is null) as waiting,
      count(*) filter (where state = 'live' and leased_by is not null) as running,
      count(*) filter (where state = 'dead') as dead
    from jobs`.execute(db.system);
  return rows[0] ?? { waiting: 0, running: 0, dead: 0 };
}
