import { expect, test } from "vitest";
import { dayIn, rangeOf } from "./dashboard.range.ts";

const today = "2026-03-02";

test.each([
  [
    { days: 7, date_from: "", date_to: "" },
    { from: "2026-02-24", to: today },
  ],
  [
    { days: 90, date_from: "", date_to: "" },
    { from: "2025-12-03", to: today },
  ],
  [
    { days: 1, date_from: "2020-01-01", date_to: "2020-01-31" },
    { from: today, to: today },
  ],
  [
    { days: 0, date_from: "2026-03-01", date_to: "" },
    { from: "2026-03-01", to: null },
  ],
  [
    { days: 0, date_from: "", date_to: "2026-03-01" },
    { from: null, to: "2026-03-01" },
  ],
])("the filter %j is the days %j: a period ends today and goes before dates (D-01)", (filter, range) => {
  expect(rangeOf(filter, today)).toEqual(range);
});

test("the day is in the company's time zone (D-01)", () => {
  const at = new Date("2026-03-02T01:30:00Z");
  expect([dayIn("America/Sao_Paulo", at), dayIn("UTC", at)]).toEqual(["2026-03-01", "2026-03-02"]);
});
