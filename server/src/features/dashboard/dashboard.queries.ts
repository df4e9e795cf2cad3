import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { hasEnteredSql } from "#server/features/users/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { namedByText } from "#server/platform/db/index.ts";
import type { DayRange } from "./dashboard.range.ts";
import { KEPT_LENGTHS } from "./kept-days.queries.ts";

/** Which tickets the figures count. */
export interface DashboardScope {
  readonly timeZone: string;
  /** Null: every queue, and tickets without one. */
  readonly queueIds: readonly number[] | null;
  /** Tickets that carry one of these products; empty: all tickets. */
  readonly productIds: readonly number[];
}

export interface CountersNow {
  readonly happening: number;
  readonly pending: number;
}

/** Open and pending tickets, now: of queues their kept counts (decision 0189), of products the tickets. */
export async function countTicketsNow(ctx: Ctx, scope: DashboardScope): Promise<CountersNow> {
  const { companyId } = ctx;
  const [counts] = await run<CountersNow>(
    ctx,
    scope.productIds.length === 0
      ? sql`
        select coalesce(sum(open), 0)::int as happening, coalesce(sum(pending), 0)::int as pending
        from ticket_counts t where t.company_id = ${companyId} and ${inQueues(scope, sql`t.queue_id`)}`
      : sql`
        select count(*) filter (where status = 'open')::int as happening,
          count(*) filter (where status = 'pending')::int as pending
        from tickets t
        where t.company_id = ${companyId} and t.status in ('open', 'pending') and ${inScope(scope, sql`t.id`, sql`t.queue_id`)}`,
  );
  return counts ?? { happening: 0, pending: 0 };
}

/** Sums of the episodes that one attendant finished in a range; `userId` null: episodes without an owner. */
export interface FinishedRow {
  readonly userId: number | null;
  readonly finished: number;
  /** Seconds, over the episodes that were started. */
  readonly supportSeconds: number;
  readonly waitSeconds: number;
  readonly started: number;
  readonly ratings: number;
  readonly ratingSum: number;
}

/**
 * Episodes by the time they finished (behaviour 4), one row an attendant: of days that are kept (decision 0185) their sums, of the rest
 * the episodes, by the index `episodes_figures`.
 */
export async function sumFinished(ctx: Ctx, scope: DashboardScope, range: DayRange): Promise<FinishedRow[]> {
  const rows = await run<Record<keyof FinishedRow, number | null>>(
    ctx,
    sql`
    with ${keptAndGaps(ctx, scope, range)},
    sums as (
      select s.user_id, s.finished, s.started, s.support_us, s.wait_us, s.ratings, s.rating_sum
      from used join kept_day_users s on s.company_id = ${ctx.companyId} and s.days = used.days and s.since = used.since
      union all
      select e.* from gaps cross join lateral (
        select e.user_id, ${episodeSums}, count(e.rating), coalesce(sum(e.rating), 0)
        from episodes e where ${isInGap(ctx, scope)} group by e.user_id) e)
    select user_id as "userId", sum(finished)::int as finished, sum(started)::int as started,
      (sum(support_us) / 1000000.0)::float8 as "supportSeconds", (sum(wait_us) / 1000000.0)::float8 as "waitSeconds",
      sum(ratings)::int as ratings, sum(rating_sum)::int as "ratingSum"
    from sums group by user_id`,
  );
  return rows.map((row) => ({ ...(row as Record<keyof Omit<FinishedRow, "userId">, number>), userId: row.userId }));
}

export type FinishedTotal = Pick<FinishedRow, "finished" | "started" | "supportSeconds" | "waitSeconds">;

/** The same of all attendants together. */
export async function totalFinished(ctx: Ctx, scope: DashboardScope, range: DayRange): Promise<FinishedTotal> {
  const [total] = await run<FinishedTotal>(
    ctx,
    sql`
    with ${keptAndGaps(ctx, scope, range)},
    sums as (
      select finished, started, support_us, wait_us from used
      union all
      select e.* from gaps cross join lateral (select ${episodeSums} from episodes e where ${isInGap(ctx, scope)}) e)
    select coalesce(sum(finished), 0)::int as finished, coalesce(sum(started), 0)::int as started,
      (coalesce(sum(support_us), 0) / 1000000.0)::float8 as "supportSeconds",
      (coalesce(sum(wait_us), 0) / 1000000.0)::float8 as "waitSeconds"
    from sums`,
  );
  return total ?? { finished: 0, started: 0, supportSeconds: 0, waitSeconds: 0 };
}

const episodeSums = sql`count(*) as finished, count(e.started_at) as started,
  coalesce(date_part('epoch', sum(e.finished_at - e.started_at)) * 1000000, 0)::bigint as support_us,
  coalesce(date_part('epoch', sum(e.started_at - e.queued_at)) * 1000000, 0)::bigint as wait_us`;

/**
 * `used`: kept days inside of the range that nobody changed since, the longest block instead of its days; `gaps`: the rest of the range.
 * Days are kept of the whole company: what is narrowed to queues or products is one gap.
 */
function keptAndGaps(ctx: Ctx, scope: DashboardScope, range: DayRange) {
  const isWhole = scope.queueIds === null && scope.productIds.length === 0;
  const { since, until } = momentsOf(scope, range);
  return sql`asked as materialized (select ${since} as since, ${until} as until),
    marks as materialized (
      select m.at from kept_day_marks m, asked
      where m.company_id = ${ctx.companyId} and m.at >= asked.since and m.at < asked.until),
    whole as materialized (
      select k.* from kept_days k, asked
      where k.company_id = ${ctx.companyId} and k.days = any (${sql.lit(`{${KEPT_LENGTHS.join()}}`)}::int[]) and k.since >= asked.since
        and k.since < asked.until and k.until <= asked.until and ${sql.raw(String(isWhole))}
        and not exists (select from marks where marks.at >= k.since and marks.at < k.until)),
    used as materialized (
      select * from (
        select whole.*, max(until) over (order by since, days desc rows between unbounded preceding and 1 preceding) as reached
        from whole) k
      where reached is null or reached < until),
    gaps as materialized (
      select lower(gap) as since, upper(gap) as until
      from asked, unnest(tstzmultirange(tstzrange(asked.since, greatest(asked.since, asked.until)))
        - coalesce((select range_agg(tstzrange(used.since, used.until)) from used), '{}')) gap)`;
}

function isInGap(ctx: Ctx, scope: DashboardScope) {
  return sql<boolean>`e.company_id = ${ctx.companyId} and e.finished_at is not null
    and e.finished_at >= gaps.since and e.finished_at < gaps.until and ${inScope(scope, sql`e.ticket_id`, sql`e.queue_id`)}`;
}

export interface AttendantRow {
  readonly id: number;
  readonly name: string;
  readonly isOnline: boolean;
}

/**
 * The attendants, in any order: all users of the company who can sign in, or those of one of these queues; nobody who is only
 * invited.
 */
export function findAttendants(ctx: Ctx, { queueIds }: DashboardScope): Promise<AttendantRow[]> {
  return run<AttendantRow>(
    ctx,
    sql`
    select u.id, u.name, coalesce(p.is_online, false) as "isOnline"
    from users u left join user_presence p on p.user_id = u.id
    where u.company_id = ${ctx.companyId}
      and ${sql.raw(hasEnteredSql("u.id"))}
      and ${
        queueIds === null
          ? sql`true`
          : sql`exists (select from user_queues q where q.user_id = u.id and q.queue_id = any (${[...queueIds]}::int[]))`
      }`,
  );
}

export interface ChartRow {
  readonly label: string;
  readonly total: number;
}

/** Episodes begun on each day of a range, days without one included: `dd/mm/yyyy`. */
export function countBegunPerDay(ctx: Ctx, scope: DashboardScope, days: ClosedRange): Promise<ChartRow[]> {
  return run<ChartRow>(
    ctx,
    sql`
    with begun as (
      select (e.queued_at at time zone ${scope.timeZone})::date as day, count(*)::int as total
      from episodes e where ${isBegun(ctx, scope, days)} group by 1)
    select to_char(day, 'DD/MM/YYYY') as label, coalesce(total, 0) as total
    from generate_series(${days.from}::date, ${days.to}::date, interval '1 day') as plotted(at)
    cross join lateral (select at::date as day) d left join begun using (day)
    order by day`,
  );
}

/** The same by the hour of one day: `HH:00`, in the company's time zone. */
export function countBegunPerHour(ctx: Ctx, scope: DashboardScope, day: string): Promise<ChartRow[]> {
  return run<ChartRow>(
    ctx,
    sql`
    with begun as (
      select extract(hour from e.queued_at at time zone ${scope.timeZone})::int as hour, count(*)::int as total
      from episodes e where ${isBegun(ctx, scope, { from: day, to: day })} group by 1)
    select lpad(hour::text, 2, '0') || ':00' as label, coalesce(total, 0) as total
    from generate_series(0, 23) as plotted(hour) left join begun using (hour)
    order by hour`,
  );
}

export interface ClosedRange {
  readonly from: string;
  readonly to: string;
}

/** Runs a query as a named statement: it is planned once and not for each request (decision 0184). */
function run<Row>(ctx: Ctx, query: RawBuilder<unknown>): Promise<Row[]> {
  const { sql: text, parameters } = query.compile(ctx.db);
  return ctx.raw<Row>(namedByText("dashboard", text), parameters);
}

function isBegun(ctx: Ctx, scope: DashboardScope, days: ClosedRange) {
  return sql<boolean>`e.company_id = ${ctx.companyId} and ${during(sql`e.queued_at`, scope, days)}
    and ${inScope(scope, sql`e.ticket_id`, sql`e.queue_id`)}`;
}

function during(moment: RawBuilder<unknown>, scope: DashboardScope, range: DayRange) {
  const { since, until } = momentsOf(scope, range);
  return sql<boolean>`${moment} >= (select ${since}) and ${moment} < (select ${until})`;
}

/** From midnight of the first day to midnight after the last, or to a time of that day; half open, in the company's time zone. */
function momentsOf({ timeZone }: DashboardScope, { from, to, untilTime }: DayRange) {
  const end = untilTime === undefined ? sql`(${to}::date + 1)::timestamp` : sql`(${to}::date + ${untilTime}::time)`;
  return {
    since: from === null ? sql`timestamptz '-infinity'` : sql`${from}::date::timestamp at time zone ${timeZone}`,
    until: to === null ? sql`timestamptz 'infinity'` : sql`${end} at time zone ${timeZone}`,
  };
}

function inScope(
  { queueIds, productIds }: DashboardScope,
  ticketId: RawBuilder<unknown>,
  queueId: RawBuilder<unknown>,
) {
  const hasProduct =
    productIds.length === 0
      ? sql`true`
      : sql`${ticketId} in (select ticket_id from ticket_products where product_id = any (${[...productIds]}::int[]))`;
  return sql<boolean>`${inQueues({ queueIds }, queueId)} and ${hasProduct}`;
}

function inQueues({ queueIds }: Pick<DashboardScope, "queueIds">, queueId: RawBuilder<unknown>) {
  return queueIds === null ? sql<boolean>`true` : sql<boolean>`${queueId} = any (${[...queueIds]}::int[])`;
}
