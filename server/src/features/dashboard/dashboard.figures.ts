import type { DashboardComparison, DashboardCounters, ResponseOf, dashboard } from "@prosa/contract";
import type { AttendantRow, CountersNow, FinishedRow, FinishedTotal } from "./dashboard.queries.ts";
import type { RangeBefore } from "./dashboard.range.ts";

type Figures = ResponseOf<typeof dashboard.figures>;

/** The counters (D-02) from sums. Averages are in whole minutes, rounded down. Pure. */
export function countersOf(now: CountersNow, finished: readonly FinishedRow[]): DashboardCounters {
  const { supportSeconds, waitSeconds, started, ...sums } = sumsOf(finished);
  return {
    supportHappening: now.happening,
    supportPending: now.pending,
    supportFinished: sums.finished,
    avgSupportTime: wholeMinutes(supportSeconds, started),
    avgWaitTime: wholeMinutes(waitSeconds, started),
  };
}

/**
 * How far the figures of a range are from those of the one before, by the second, not by the minutes shown; null where nothing was
 * finished then. Pure.
 */
export function comparisonOf(
  finished: readonly FinishedRow[],
  before: { readonly range: RangeBefore; readonly finished: FinishedTotal } | undefined,
): DashboardComparison | null {
  if (!before || before.finished.finished === 0) {
    return null;
  }
  const { from, to, untilTime = null, unit } = before.range;
  const [sums, then] = [sumsOf(finished), before.finished];
  return {
    from,
    to,
    untilTime,
    unit,
    supportFinished: percentChange(sums.finished, then.finished),
    avgSupportTime: percentChange(
      average(sums.supportSeconds, sums.started),
      average(then.supportSeconds, then.started),
    ),
    avgWaitTime: percentChange(average(sums.waitSeconds, sums.started), average(then.waitSeconds, then.started)),
  };
}

/** Each attendant's row (D-03), busiest first, those without a conversation by name after them. Pure. */
export function attendantsOf(people: readonly AttendantRow[], finished: readonly FinishedRow[]): Figures["attendants"] {
  const byUser = new Map(finished.map((row) => [row.userId, row]));
  return people
    .map(({ id, name, isOnline }) => {
      const row = byUser.get(id);
      return {
        id,
        name,
        rating: row && row.ratings > 0 ? Math.round((row.ratingSum / row.ratings) * 10) / 10 : null,
        avgSupportTime: row ? wholeMinutes(row.supportSeconds, row.started) : 0,
        tickets: row?.finished ?? 0,
        online: isOnline,
      };
    })
    .toSorted((a, b) => b.tickets - a.tickets || byName.compare(a.name, b.name) || a.id - b.id);
}

/** Accents and case aside, as everywhere in lists of names. */
const byName = new Intl.Collator("pt", { sensitivity: "base" });

function sumsOf(rows: readonly FinishedRow[]): FinishedTotal {
  const total = (of: (row: FinishedRow) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  return {
    finished: total((row) => row.finished),
    started: total((row) => row.started),
    supportSeconds: total((row) => row.supportSeconds),
    waitSeconds: total((row) => row.waitSeconds),
  };
}

function wholeMinutes(seconds: number, count: number): number {
  return Math.floor((average(seconds, count) ?? 0) / 60);
}

function average(seconds: number, count: number): number | undefined {
  return count === 0 ? undefined : seconds / count;
}

/** From nothing, no percentage leads anywhere. */
function percentChange(now: number | undefined, then: number | undefined): number | null {
  return now === undefined || !then ? null : Math.round((now / then - 1) * 100);
}
