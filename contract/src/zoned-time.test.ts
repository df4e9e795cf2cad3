import { expect, test } from "vitest";
import { instantOf, wallClockOf } from "./zoned-time.ts";

test.each([
  ["2026-11-18T22:30", "America/Sao_Paulo", "2026-11-19T01:30:00.000Z"],
  ["2026-11-18T22:30", "UTC", "2026-11-18T22:30:00.000Z"],
  ["2026-07-01T09:00", "America/New_York", "2026-07-01T13:00:00.000Z"],
  ["2026-12-01T09:00", "America/New_York", "2026-12-01T14:00:00.000Z"],
  // the hour after the clocks went forward
  ["2026-03-08T03:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
  // an hour that was skipped, and one that came twice
  ["2026-03-08T02:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
  ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
  ["2026-11-01T02:30", "America/New_York", "2026-11-01T07:30:00.000Z"],
  ["2026-09-06T00:30:15", "America/Santiago", "2026-09-06T04:30:15.000Z"],
])("%s in %s is %s (Q-06)", (wallClock, zone, instant) => {
  expect(instantOf(wallClock, zone)?.toISOString()).toBe(instant);
});

test.each(["", "2026-11-18T24:00", "2026-11-18T25:00", "2026-02-30T9"])("%j is no time", (typed) => {
  expect(instantOf(typed, "UTC")).toBeUndefined();
});

test.each([
  ["2026-11-19T01:30:00Z", "America/Sao_Paulo", "2026-11-18T22:30"],
  ["2026-07-01T12:00:30Z", "Europe/Lisbon", "2026-07-01T13:00"],
  ["2026-12-31T23:59:59Z", "UTC", "2026-12-31T23:59"],
])("%s shows in %s as %s, and leads back", (instant, zone, shown) => {
  expect(wallClockOf(new Date(instant), zone)).toBe(shown);
  expect(instantOf(shown, zone)?.getTime()).toBe(Math.floor(Date.parse(instant) / 60_000) * 60_000);
});
