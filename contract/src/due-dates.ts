/** Whole days from one calendar day to another; negative if `to` is past. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** The calendar day so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * `2026-01-31` plus a month is `2026-02-28`: the same day of the month, or the month's last one. With the `dueDay` 31 that is
 * `2026-03-31` a month later.
 */
export function addMonths(day: string, months: number, dueDay: number | null = null): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  const date = Math.min(dueDayOf(day, dueDay), lastDayOf(year, month + months));
  return new Date(Date.UTC(year, month - 1 + months, date)).toISOString().slice(0, 10);
}

/**
 * The day of the month that a due date stands for: `stored` where its month ends before that, else its own. So what was stored for
 * another date says nothing about this one.
 */
export function dueDayOf(day: string, stored: number | null): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return date === lastDayOf(year, month) ? Math.max(date, stored ?? 0) : date;
}

/** Months count from 1, over the year's end too. */
function lastDayOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
