/** The ranges that are one click away, and how the address says which is shown. */
import { dashboardPeriods } from "@prosa/contract/dashboard";
import { addDays, addMonths, isDay } from "#web/ui/dates/days.ts";
import { defaultFilter, isEmptyFilter, isReversed, type Filter } from "./filter.ts";

export const rangeNames = ["today", "yesterday", "last7", "last30", "thisMonth", "lastMonth"] as const;

export type RangeName = (typeof rangeNames)[number];

/** What the dashboard shows; without a `range` it is a period or dates of the form. */
export interface Choice {
  readonly range: RangeName | undefined;
  readonly filter: Filter;
}

/** The days of a range. Pure. */
export function daysOf(range: RangeName, today: string): Omit<Filter, "products"> {
  const firstOfMonth = `${today.slice(0, 7)}-01`;
  const dates = (from: string, to: string) => ({ days: 0, from, to });
  switch (range) {
    case "today":
      return dates(today, today);
    case "yesterday":
      return dates(addDays(today, -1), addDays(today, -1));
    case "last7":
      return { days: 7, from: "", to: "" };
    case "last30":
      return { days: 30, from: "", to: "" };
    case "thisMonth":
      return dates(firstOfMonth, today);
    case "lastMonth":
      return dates(addMonths(firstOfMonth, -1), addDays(firstOfMonth, -1));
  }
}

/** What the form was set to; a range, where its days are those of one. Pure. */
export function choiceOf(filter: Filter, today: string): Choice {
  const isOf = (name: RangeName) => {
    const { days, from, to } = daysOf(name, today);
    return days > 0 ? filter.days === days : filter.days === 0 && filter.from === from && filter.to === to;
  };
  return { range: rangeNames.find(isOf), filter };
}

/**
 * The choice in an address: a range by its name, so that "today" is another day tomorrow; otherwise a period or dates. What cannot
 * be shown is the default, this month (D-01); a product that is not among the known ones, once they are known, was deleted. Pure.
 */
export function readChoice(search: URLSearchParams, today: string, known?: readonly { readonly id: number }[]): Choice {
  const products = (search.get("products") ?? "")
    .split(",")
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0 && (known?.some((product) => product.id === id) ?? true));
  const range = rangeNames.find((name) => name === search.get("range"));
  if (range) {
    return { range, filter: { ...daysOf(range, today), products } };
  }
  const days = dashboardPeriods.find((each) => each > 0 && String(each) === search.get("days")) ?? 0;
  const [from = "", to = ""] = ["from", "to"].map((key) => search.get(key) ?? "").map((day) => (isDay(day) ? day : ""));
  const filter = days > 0 ? { days, from: "", to: "", products } : { days, from, to, products };
  return isEmptyFilter(filter) || isReversed(filter)
    ? { range: "thisMonth", filter: { ...defaultFilter(today), products } }
    : choiceOf(filter, today);
}

/** The same as the query of an address. Pure. */
export function choiceQuery({ range, filter }: Choice): Record<string, string> {
  const { days, from, to, products } = filter;
  const shown = { range: range ?? "", ...(!range && (days > 0 ? { days: String(days) } : { from, to })) };
  const query = { ...shown, products: products.join(",") };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
}
