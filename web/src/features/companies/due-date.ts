/** How near is a company's due date, and what is the next one? */

export type DueTone = "yellow" | "orange" | "red";

/** The row's colour by the days left (specification 2 section 4): yellow at 5, orange from 4 to -3, red at -4. */
export function dueTone(days: number): DueTone | undefined {
  if (days === 5) {
    return "yellow";
  }
  if (days <= 4 && days >= -3) {
    return "orange";
  }
  return days === -4 ? "red" : undefined;
}

/** Whole days from one calendar day to another; negative if `to` is past. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** `2026-01-31` plus a month is `2026-02-28`: the same day of the month, or the month's last one. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDay))).toISOString().slice(0, 10);
}
