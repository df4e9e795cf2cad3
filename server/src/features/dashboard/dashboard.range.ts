import type { QueryOf, dashboard } from "@prosa/contract";

/** Calendar days of the company, both included; null is open. */
export interface DayRange {
  readonly from: string | null;
  readonly to: string | null;
}

type Filter = Pick<QueryOf<typeof dashboard.figures>, "days" | "date_from" | "date_to">;

/** The days of a filter (D-01). `days`, which counts back from and includes today, takes precedence over dates. Pure. */
export function rangeOf({ days, date_from: from, date_to: to }: Filter, today: string): DayRange {
  return days > 0 ? { from: dayBefore(today, days - 1), to: today } : { from: from || null, to: to || null };
}

/** The calendar day in this time zone: `2026-11-21`. */
export function dayIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(at);
}

function dayBefore(today: string, days: number): string {
  return new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
}
