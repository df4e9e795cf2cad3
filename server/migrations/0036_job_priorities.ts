import { sql } from "kysely";
import type { Kysely } from "kysely";

/**
 * Jobs have priorities (decision 0142). Rows of the release before this one get the rank of a notice. Its claims go on using
 * `jobs_free` and `jobs_bound`, which stay until no such release runs beside; `leased_until is null` (as good as `leased_by`,
 * by a check) keeps the planner from taking these for the claims by priority, which would read the whole backlog.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs add column priority smallint not null default 2 check (priority between 0 and 3)`.execute(
    db,
  );
  await sql`create index jobs_free_by_priority on jobs (priority, run_at, id)
    where state = 'live' and leased_until is null and affinity is null`.execute(db);
  await sql`create index jobs_bound_by_priority on jobs (affinity, priority, run_at, id)
    where state = 'live' and leased_until is null and affinity is not null`.execute(db);
}
