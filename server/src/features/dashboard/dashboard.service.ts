import type { QueryOf, ResponseOf, dashboard } from "@prosa/contract";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { attendantsOf, comparisonOf, countersOf } from "./dashboard.figures.ts";
import { visibleQueueIds } from "./dashboard.policy.ts";
import {
  countBegunPerDay,
  countBegunPerHour,
  countTicketsNow,
  findAttendants,
  sumFinished,
  totalFinished,
} from "./dashboard.queries.ts";
import type { DashboardScope } from "./dashboard.queries.ts";
import { clockIn, rangeBefore, rangeOf } from "./dashboard.range.ts";

/** Counters of now, figures of the range, and how they compare with the range before (D-02, D-03). A supervisor sees their own queues. */
export async function readFigures(
  ctx: Ctx,
  query: QueryOf<typeof dashboard.figures>,
): Promise<ResponseOf<typeof dashboard.figures>> {
  const scope = await scopeOf(ctx, query.products);
  const clock = clockIn(scope.timeZone, ctx.now());
  const now = await countTicketsNow(ctx, scope);
  const finished = await sumFinished(ctx, scope, rangeOf(query, clock.today));
  const people = await findAttendants(ctx, scope);
  const range = rangeBefore(query, clock);
  const before = range && { range, finished: await totalFinished(ctx, scope, range) };

  return {
    counters: JSON.stringify(countersOf(now, finished)),
    attendants: attendantsOf(people, finished),
    comparison: comparisonOf(finished, before),
  };
}

type Plotted = QueryOf<typeof dashboard.ticketsDay>;

/** Finished conversations per attendant, busiest first (D-04). */
export async function readTicketsUsers(
  ctx: Ctx,
  { initialDate, finalDate, products }: Plotted,
): Promise<ResponseOf<typeof dashboard.ticketsUsers>> {
  const scope = await scopeOf(ctx, products);
  const finished = await sumFinished(ctx, scope, { from: initialDate, to: finalDate });
  const people = await findAttendants(ctx, scope);

  const data = attendantsOf(people, finished)
    .filter(({ tickets }) => tickets > 0)
    .map(({ name, tickets }) => ({ nome: name, quantidade: tickets }));
  return { data };
}

/** Conversations begun per day, or per hour of one day (D-04). */
export async function readTicketsDay(
  ctx: Ctx,
  { initialDate, finalDate, products }: Plotted,
): Promise<ResponseOf<typeof dashboard.ticketsDay>> {
  const scope = await scopeOf(ctx, products);
  const isOneDay = initialDate === finalDate;
  const rows = isOneDay
    ? await countBegunPerHour(ctx, scope, initialDate)
    : await countBegunPerDay(ctx, scope, { from: initialDate, to: finalDate });

  return {
    count: rows.reduce((sum, { total }) => sum + total, 0),
    data: rows.map(({ label, total }) => (isOneDay ? { horario: label, total } : { data: label, total })),
  };
}

async function scopeOf(ctx: Ctx, productIds: readonly number[]): Promise<DashboardScope> {
  const { timeZone } = await companyLocaleOf(ctx);
  return { timeZone, queueIds: visibleQueueIds(ctx.actor), productIds };
}
