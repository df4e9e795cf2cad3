import type { DashboardCounters, ResponseOf, dashboard } from "@prosa/contract";
import type { AttendantRow, CountersNow, FinishedRow } from "./dashboard.queries.ts";

type Figures = ResponseOf<typeof dashboard.figures>;

/** The counters (D-02) from sums. Averages are in whole minutes, rounded down. Pure. */
export function countersOf(now: CountersNow, finished: readonly FinishedRow[]): DashboardCounters {
  const total = (of: (row: FinishedRow) => number) => finished.reduce((sum, row) => sum + of(row), 0);
  const started = total((row) => row.started);
  return {
    supportHappening: now.happening,
    supportPending: now.pending,
    supportFinished: total((row) => row.finished),
    avgSupportTime: wholeMinutes(
      total((row) => row.supportSeconds),
      started,
    ),
    avgWaitTime: wholeMinutes(
      total((row) => row.waitSeconds),
      started,
    ),
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
    .toSorted((a, b) => b.tickets - a.tickets);
}

function wholeMinutes(seconds: number, count: number): number {
  return count === 0 ? 0 : Math.floor(seconds / count / 60);
}
