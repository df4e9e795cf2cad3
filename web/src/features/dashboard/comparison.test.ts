import { expect, test } from "vitest";
import { comparedWith, meaningOf } from "./comparison.ts";

test("more conversations are good, more waiting is not, and no change is neither (D-02)", () => {
  expect([meaningOf("supportFinished", 1), meaningOf("supportFinished", -1)]).toEqual(["good", "bad"]);
  expect([meaningOf("avgWaitTime", -12), meaningOf("avgWaitTime", 12)]).toEqual(["good", "bad"]);
  expect([meaningOf("avgSupportTime", -12), meaningOf("avgSupportTime", 0)]).toEqual(["good", undefined]);
});

const days = { unit: "days", untilTime: null, supportFinished: 1, avgSupportTime: 1, avgWaitTime: 1 } as const;

test.each([
  [
    { ...days, from: "2026-11-10", to: "2026-11-16", untilTime: "10:00:00" },
    { key: "vsDays", count: 7 },
  ],
  [
    { ...days, from: "2026-11-22", to: "2026-11-22", untilTime: "10:00:00" },
    { key: "vsYesterday", count: 1 },
  ],
  [
    { ...days, from: "2026-11-21", to: "2026-11-21" },
    { key: "vsDay", count: 1 },
  ],
  [{ ...days, unit: "month", from: "2026-10-01", to: "2026-10-23" } as const, { key: "vsMonth", count: 23 }],
])("%j is named %j (D-02)", (comparison, named) => {
  expect(comparedWith(comparison, "2026-11-23")).toEqual(named);
});
