/** Which days does the dashboard show? Days are calendar days of the company: `2026-11-21`. */

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

/** The longest range that the charts are asked for, where it is open at its start. */
const longestDays = 3_650;

/** As the charts take it: both ends are days. Pure. */
export function chartQuery({ days, from, to, products }: Filter, today: string) {
  const finalDate = days > 0 ? today : to || (from > today ? from : today);
  const initialDate = days > 0 ? addDays(today, 1 - days) : from || addDays(finalDate, -longestDays);
  return { initialDate, finalDate, products: JSON.stringify(products) };
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
export function todayIn(timeZone: string, now: number = Date.now()): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(now);
}
