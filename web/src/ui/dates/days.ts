/** Arithmetic of calendar days as text (`2026-11-23`): a day has no time zone and must not move. Pure. */

const dayMs = 86_400_000;

/** The day of a year, month (1 to 12) and date; undefined for one that does not exist, like 31/02. */
export function dayFrom(year: number, month: number, date: number): string | undefined {
  const at = new Date(Date.UTC(year, month - 1, date));
  const exists = year >= 1900 && year <= 2999 && at.getUTCMonth() === month - 1 && at.getUTCDate() === date;
  return exists ? at.toISOString().slice(0, 10) : undefined;
}

export function isDay(text: string): boolean {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/u.exec(text) ?? [];
  return dayFrom(Number(year), Number(month), Number(date)) === text;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** `2026-01-31` plus a month is `2026-02-28`: the same date, or the month's last one. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(day).getUTCDay();
}

/** The first such weekday after a day. */
export function nextWeekday(after: string, weekday: number): string {
  return addDays(after, ((weekday - weekdayOf(after) + 6) % 7) + 1);
}

/** `2026-11-23` as `23/11/2026`, as days are written in every language. */
export function dayText(day: string): string {
  return isDay(day) ? day.split("-").toReversed().join("/") : day;
}
