/** Which days does the dashboard show? Days are calendar days of the company: `2026-11-21`. */

import { serverNow } from "#web/lib/session/clock.ts";
import { addDays } from "#web/ui/dates/days.ts";

/** Values of the form; a period of 0 is none, and then the dates apply (D-01). */
export interface Filter {
  readonly days: number;
  readonly from: string;
  readonly to: string;
  readonly products: readonly number[];
}

/** The first of the month until today. Pure. */
export function defaultFilter(today: string): Filter {
  return { days: 0, from: `${today.slice(0, 7)}-01`, to: today, products: [] };
}

/** "Parametrize o filtro": neither a period nor a date. Pure. */
export function isEmptyFilter({ days, from, to }: Filter): boolean {
  return days === 0 && from === "" && to === "";
}

/** A range that ends before it begins shows nothing. Pure. */
export function isReversed({ days, from, to }: Filter): boolean {
  return days === 0 && from !== "" && to !== "" && to < from;
}

/** As GET /dashboard takes it. Pure. */
export function figuresQuery({ days, from, to, products }: Filter) {
  const dates = days > 0 ? { date_from: "", date_to: "" } : { date_from: from, date_to: to };
  return { days, ...dates, products: JSON.stringify(products) };
}

/** First and last day of the figures; "" where the range is open. Pure. */
export function spanOf({ days, from, to }: Filter, today: string): { readonly from: string; readonly to: string } {
  return days > 0 ? { from: addDays(today, 1 - days), to: today } : { from, to };
}

/** The longest range that the charts are asked for, in days; the server refuses one that is much longer. */
const longestDays = 3_650;

/** As the charts take it: both ends are days. Without those to come, and of a longer range than ten years the last ten. Pure. */
export function chartQuery(filter: Filter, today: string) {
  const { from, to } = spanOf(filter, today);
  const latest = from > today ? from : today;
  const finalDate = to === "" || to > latest ? latest : to;
  const earliest = addDays(finalDate, -longestDays);
  const initialDate = from > earliest ? from : earliest;
  return { initialDate, finalDate, products: JSON.stringify(filter.products) };
}

/** Drops the empty days before the first conversation where the range has no start. Pure. */
export function withoutEmptyStart<T extends { readonly total: number }>(
  rows: readonly T[],
  filter: Filter,
): readonly T[] {
  const first = rows.findIndex(({ total }) => total > 0);
  return filter.days > 0 || filter.from !== "" || first < 0 ? rows : rows.slice(first);
}

/** The day that it is in a time zone. */
export function todayIn(timeZone: string, now: number = serverNow()): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(now);
}
