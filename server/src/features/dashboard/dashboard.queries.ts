import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { DayRange } from "./dashboard.range.ts";

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

/** Open and pending tickets, now. */
export async function countTicketsNow(ctx: Ctx, scope: DashboardScope): Promise<CountersNow> {
  const { rows } = await sql<CountersNow>`
    select count(*) filter (where status = 'open') as happening, count(*) filter (where status = 'pending') as pending
    from tickets t
    where t.company_id = ${ctx.companyId} and t.status in ('open', 'pending') and ${inScope(scope, sql`t.id`, sql`t.queue_id`)}
  `.execute(ctx.db);
  const [counts] = rows;
  return { happening: Number(counts?.happening ?? 0), pending: Number(counts?.pending ?? 0) };
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

/** Episodes by the time they finished (behaviour 4), one row an attendant; one pass over the index `episodes_figures`. */
export async function sumFinished(ctx: Ctx, scope: DashboardScope, range: DayRange): Promise<FinishedRow[]> {
  const { rows } = await sql<Record<keyof FinishedRow, number | null>>`
    select e.user_id as "userId", count(*)::int as finished, count(e.started_at)::int as started,
      coalesce(sum(extract(epoch from e.finished_at - e.started_at)), 0)::float8 as "supportSeconds",
      coalesce(sum(extract(epoch from e.started_at - e.queued_at)), 0)::float8 as "waitSeconds",
      count(e.rating)::int as ratings, coalesce(sum(e.rating), 0)::int as "ratingSum"
    from episodes e
    where e.company_id = ${ctx.companyId} and e.finished_at is not null
      and ${during(sql`e.finished_at`, scope, range)} and ${inScope(scope, sql`e.ticket_id`, sql`e.queue_id`)}
    group by e.user_id`.execute(ctx.db);
  return rows.map((row) => ({ ...(row as Record<keyof Omit<FinishedRow, "userId">, number>), userId: row.userId }));
}

export interface AttendantRow {
  readonly id: number;
  readonly name: string;
  readonly isOnline: boolean;
}

/** The attendants: all users of the company who can sign in, or those of one of these queues; nobody who is only invited. */
export async function findAttendants(ctx: Ctx, { queueIds }: DashboardScope): Promise<AttendantRow[]> {
  const { rows } = await sql<AttendantRow>`
    select u.id, u.name, coalesce(p.is_online, false) as "isOnline"
    from users u left join user_presence p on p.user_id = u.id
    where u.company_id = ${ctx.companyId}
      and not exists (select from invitations i where i.user_id = u.id and i.accepted_at is null)
      and ${
        queueIds === null
          ? sql`true`
          : sql`exists (select from user_queues q where q.user_id = u.id and q.queue_id = any (${[...queueIds]}::int[]))`
      }
    order by folded(u.name), u.id`.execute(ctx.db);
  return rows;
}

export interface ChartRow {
  readonly label: string;
  readonly total: number;
}

/** Episodes begun on each day of a range, days without one included: `dd/mm/yyyy`. */
export function countBegunPerDay(ctx: Ctx, scope: DashboardScope, days: ClosedRange): Promise<ChartRow[]> {
  return plot(
    ctx,
    sql<ChartRow>`
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
  return plot(
    ctx,
    sql<ChartRow>`
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

async function plot(ctx: Ctx, query: RawBuilder<ChartRow>): Promise<ChartRow[]> {
  return (await query.execute(ctx.db)).rows;
}

function isBegun(ctx: Ctx, scope: DashboardScope, days: ClosedRange) {
  return sql<boolean>`e.company_id = ${ctx.companyId} and ${during(sql`e.queued_at`, scope, days)}
    and ${inScope(scope, sql`e.ticket_id`, sql`e.queue_id`)}`;
}

/** From midnight of the first day to midnight after the last, or to a time of that day; half open, in the company's time zone. */
function during(moment: RawBuilder<unknown>, { timeZone }: DashboardScope, { from, to, untilTime }: DayRange) {
  const since =
    from === null ? sql`true` : sql`${moment} >= (select ${from}::date::timestamp at time zone ${timeZone})`;
  const end = untilTime === undefined ? sql`(${to}::date + 1)::timestamp` : sql`(${to}::date + ${untilTime}::time)`;
  const until = to === null ? sql`true` : sql`${moment} < (select ${end} at time zone ${timeZone})`;
  return sql<boolean>`${since} and ${until}`;
}

function inScope(
  { queueIds, productIds }: DashboardScope,
  ticketId: RawBuilder<unknown>,
  queueId: RawBuilder<unknown>,
) {
  const isShown = queueIds === null ? sql`true` : sql`${queueId} = any (${[...queueIds]}::int[])`;
  const hasProduct =
    productIds.length === 0
      ? sql`true`
      : sql`${ticketId} in (select ticket_id from ticket_products where product_id = any (${[...productIds]}::int[]))`;
  return sql<boolean>`${isShown} and ${hasProduct}`;
}
