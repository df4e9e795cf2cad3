import { expect, test } from "vitest";
import { readCounters } from "./dashboard.api.ts";

test("counters are read from JSON text and from an object (D-02)", () => {
  const counters = { supportHappening: 1, supportPending: 2, supportFinished: 4, avgSupportTime: 75, avgWaitTime: 5 };
  expect(readCounters(JSON.stringify(counters))).toEqual(counters);
  expect(readCounters(counters)).toEqual(counters);
});
