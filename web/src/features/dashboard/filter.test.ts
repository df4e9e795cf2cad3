import { expect, test } from "vitest";
import {
  chartQuery,
  defaultFilter,
  figuresQuery,
  isEmptyFilter,
  isReversed,
  todayIn,
  withoutEmptyStart,
} from "./filter.ts";

const today = "2026-03-10";
const none = { days: 0, from: "", to: "", products: [] };

test("it begins with the first of the month, until today (D-01)", () => {
  expect(defaultFilter(today)).toEqual({ days: 0, from: "2026-03-01", to: today, products: [] });
});

test.each([
  [none, true],
  [{ ...none, days: 3 }, false],
  [{ ...none, from: today }, false],
  [{ ...none, to: today }, false],
])("%j is nothing to filter by: %s (D-01)", (filter, isEmpty) => {
  expect(isEmptyFilter(filter)).toBe(isEmpty);
});

test("a range that ends before it begins is noticed (D-01)", () => {
  expect(isReversed({ ...none, from: "2026-03-02", to: "2026-03-01" })).toBe(true);
  expect(isReversed({ ...none, from: "2026-03-01", to: "2026-03-01" })).toBe(false);
});

test.each([
  [{ ...none, days: 7 }, { days: 7, date_from: "", date_to: "" }, ["2026-03-04", today]],
  [{ ...none, days: 7, from: "2020-01-01" }, { days: 7, date_from: "", date_to: "" }, ["2026-03-04", today]],
  [{ ...none, from: "2026-03-01" }, { days: 0, date_from: "2026-03-01", date_to: "" }, ["2026-03-01", today]],
  [{ ...none, from: "2027-01-01" }, { days: 0, date_from: "2027-01-01", date_to: "" }, ["2027-01-01", "2027-01-01"]],
  [{ ...none, to: "2026-03-01" }, { days: 0, date_from: "", date_to: "2026-03-01" }, ["2016-03-03", "2026-03-01"]],
  // at most ten years, and no days to come
  [{ ...none, from: "2001-01-01" }, { days: 0, date_from: "2001-01-01", date_to: "" }, ["2016-03-12", today]],
  [
    { ...none, from: "2001-01-01", to: "2011-06-01" },
    { days: 0, date_from: "2001-01-01", date_to: "2011-06-01" },
    ["2001-06-03", "2011-06-01"],
  ],
  [
    { ...none, from: "2026-03-01", to: "2099-12-31" },
    { days: 0, date_from: "2026-03-01", date_to: "2099-12-31" },
    ["2026-03-01", today],
  ],
  [{ ...none, to: "2099-12-31" }, { days: 0, date_from: "", date_to: "2099-12-31" }, ["2016-03-12", today]],
  [
    { ...none, from: "2027-01-01", to: "2027-01-31" },
    { days: 0, date_from: "2027-01-01", date_to: "2027-01-31" },
    ["2027-01-01", "2027-01-01"],
  ],
])("%j asks for the figures of %j and the charts of %j (D-01, D-04)", (filter, figures, [initialDate, finalDate]) => {
  expect(figuresQuery(filter)).toEqual({ ...figures, products: "[]" });
  expect(chartQuery(filter, today)).toEqual({ initialDate, finalDate, products: "[]" });
});

test("a chart without a start begins with its first conversation (D-04)", () => {
  const rows = [0, 0, 2, 0].map((total) => ({ total }));
  expect(withoutEmptyStart(rows, { ...none, to: today })).toHaveLength(2);
  expect(withoutEmptyStart(rows, { ...none, from: "2026-03-07", to: today })).toHaveLength(4);
  expect(withoutEmptyStart([{ total: 0 }], { ...none, to: today })).toHaveLength(1);
});

test("today is the company's own day (D-01)", () => {
  expect(todayIn("America/Sao_Paulo", Date.parse("2026-03-10T02:00:00Z"))).toBe("2026-03-09");
});
