import type { DashboardComparison, QueryOf, dashboard } from "@prosa/contract";

/** Calendar days of the company, both included; null is open. */
export interface DayRange {
  readonly from: string | null;
  readonly to: string | null;
  /** The last day counts until this time of day (`10:56:12`); left out: as a whole. */
  readonly untilTime?: string;
}

/** The days that a range is compared with. */
export interface RangeBefore extends DayRange {
  readonly from: string;
  readonly to: string;
  readonly unit: DashboardComparison["unit"];
}

/** Day and time of day of the company. */
export interface WallClock {
  readonly today: string;
  readonly time: string;
}

type Filter = Pick<QueryOf<typeof dashboard.figures>, "days" | "date_from" | "date_to">;

const dayMs = 86_400_000;
/** Nobody was served before; a filter may say the year 1, and there is no year 0. */
const firstDay = "1970-01-01";

/** The days of a filter (D-01). `days`, which counts back from and includes today, takes precedence over dates. Pure. */
export function rangeOf({ days, date_from: from, date_to: to }: Filter, today: string): DayRange {
  return days > 0 ? { from: addDays(today, 1 - days), to: today } : { from: from || null, to: to || null };
}

/**
 * The range before: as many days, or the same days of the month before where the dates are a month (decision 0175). A range that
 * is not over is compared with as much of the one before: a morning with a morning. Undefined where nothing is before. Pure.
 */
export function rangeBefore(filter: Filter, { today, time }: WallClock): RangeBefore | undefined {
  const { from, to } = rangeOf(filter, today);
  const last = to === null || to > today ? today : to;
  if (from === null || from > last || from < firstDay) {
    return undefined;
  }
  const isOver = last < today;
  const isOfMonth = from.endsWith("-01") && from.slice(0, 7) === last.slice(0, 7) && from !== last;
  if (filter.days === 0 && isOfMonth && (!isOver || isLastOfMonth(last))) {
    const lastBefore = addDays(from, -1);
    const sameDay = `${lastBefore.slice(0, 7)}${last.slice(7)}`;
    // whole where this month has had more days than the one before
    const isWhole = isOver || sameDay > lastBefore;
    return {
      from: `${lastBefore.slice(0, 7)}-01`,
      to: isWhole ? lastBefore : sameDay,
      ...(!isWhole && { untilTime: time }),
      unit: "month",
    };
  }
  const length = (Date.parse(last) - Date.parse(from)) / dayMs + 1;
  return {
    from: addDays(from, -length),
    to: addDays(last, -length),
    ...(!isOver && { untilTime: time }),
    unit: "days",
  };
}

/** Day and time of day in this time zone: `2026-11-21`, `10:56:12`. */
export function clockIn(timeZone: string, at: Date): WallClock {
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "medium", hourCycle: "h23" });
  return { today: new Intl.DateTimeFormat("en-CA", { timeZone }).format(at), time: time.format(at) };
}

function isLastOfMonth(day: string): boolean {
  return addDays(day, 1).endsWith("-01");
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}
