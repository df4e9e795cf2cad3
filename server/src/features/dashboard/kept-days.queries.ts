import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/**
 * Days of a kept span: a day, or a block of days. A power of two each, and blocks begin at multiples of their length, so that no two
 * overlap but where one contains the other, and a range of n days is at most some 2 log2(n) of them.
 */
export const KEPT_LENGTHS = [1, 2, 4, 8, 16, 32] as const;
/** Spans of one fold: some milliseconds each, so that a company of years is folded in short transactions. */
const BATCH = 100;
/** Days that are kept, at most; what is older is counted from the episodes. */
const HORIZON = 800;

/** Every company; for the system role. */
export const COMPANIES: Statement<{ readonly companyId: number }> = {
  name: "dashboard_companies",
  text: `select id as "companyId" from companies order by id`,
};

/**
 * Keeps days of the company that are over and not kept, or were changed since; returns how many spans it has summed, 0 when all are
 * kept. Who changes an episode meanwhile leaves a mark that this does not see, and so does not delete.
 */
export async function foldDays({ db, companyId }: Ctx, timeZone: string): Promise<number> {
  // By itself: the statements after it see what the fold before has written.
  await sql`select pg_advisory_xact_lock(hashtextextended('dashboard days', ${companyId}))`.execute(db);
  await sql`
    with seen as materialized (delete from kept_day_marks where company_id = ${companyId} returning at)
    delete from kept_days k
    where k.company_id = ${companyId} and (k.time_zone <> ${timeZone}
      or exists (select from seen where seen.at >= k.since and seen.at < k.until))`.execute(db);
  const { rows } = await sql<{ folded: number }>`
    with over as (
      select ((now() - interval '65 minutes') at time zone ${timeZone})::date as today,
        (select min(finished_at) at time zone ${timeZone} from episodes
          where company_id = ${companyId} and finished_at is not null)::date as first),
    spans as (
      select (day::timestamp at time zone ${timeZone}) as since, ((day + days)::timestamp at time zone ${timeZone}) as until, days
      from over, unnest(${sql.lit(`{${KEPT_LENGTHS.join()}}`)}::int[]) lengths(days),
        lateral (select today - n as day from generate_series(days, ${HORIZON}) n) d
      where day > first - days and (day - date '2000-01-01') % days = 0),
    missing as materialized (
      select s.* from spans s
      where not exists (
        select from kept_days k where k.company_id = ${companyId} and k.days = s.days and k.since = s.since)
      order by s.since desc, s.days limit ${BATCH}),
    sums as materialized (
      select m.days, m.since, e.user_id, count(*)::int as finished, count(e.started_at)::int as started,
        coalesce(extract(epoch from sum(e.finished_at - e.started_at)) * 1000000, 0)::bigint as support_us,
        coalesce(extract(epoch from sum(e.started_at - e.queued_at)) * 1000000, 0)::bigint as wait_us,
        count(e.rating)::int as ratings, coalesce(sum(e.rating), 0)::int as rating_sum
      from missing m
      join episodes e on e.company_id = ${companyId} and e.finished_at >= m.since and e.finished_at < m.until
      group by m.days, m.since, e.user_id),
    kept as (
      insert into kept_days (company_id, since, until, days, time_zone, finished, started, support_us, wait_us)
      select ${companyId}, m.since, m.until, m.days, ${timeZone}, coalesce(sum(s.finished), 0), coalesce(sum(s.started), 0),
        coalesce(sum(s.support_us), 0), coalesce(sum(s.wait_us), 0)
      from missing m left join sums s using (days, since) group by m.since, m.until, m.days),
    of_users as (
      insert into kept_day_users
        (company_id, days, since, user_id, finished, started, support_us, wait_us, ratings, rating_sum)
      select ${companyId}, days, since, user_id, finished, started, support_us, wait_us, ratings, rating_sum from sums)
    select count(*)::int as folded from missing`.execute(db);
  return rows[0]?.folded ?? 0;
}
