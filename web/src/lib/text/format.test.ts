import { expect, onTestFinished, test, vi } from "vitest";
import { createFormat, daysUntil, formatOf } from "./format.ts";
import { parseVolume } from "#web/lib/browser/volume.ts";

const format = createFormat("pt", "America/Sao_Paulo", () => Date.parse("2026-11-21T12:00:00Z"));

test("times are of the company's zone, days first, in every language", () => {
  expect(format.date("2026-11-21T01:30:00Z")).toBe("20/11/2026");
  expect(format.time("2026-11-21T01:30:00Z")).toBe("22:30");
  expect(format.dateTime("2026-11-21T17:05:12Z")).toBe("21/11/2026 14:05:12");
  expect(createFormat("en", "America/Sao_Paulo").date("2026-11-21T12:00:00Z")).toBe("21/11/2026");
});

test("midnight is 00:00", () => {
  expect(format.time("2026-11-21T03:00:00Z")).toBe("00:00");
});

test("a calendar day does not move with the zone", () => {
  expect(createFormat("pt", "Pacific/Honolulu").date("2026-12-18")).toBe("18/12/2026");
});

test("a row shows the hour of today and the day of before", () => {
  expect(format.listTime("2026-11-21T17:32:00Z")).toBe("14:32");
  expect(format.listTime("2026-11-21T02:59:00Z")).toBe("20/11/2026");
});

test("what was formatted yesterday is formatted again, the rest is not (T-04)", () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-22T02:59:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const today = formatOf("pt", "America/Sao_Paulo", "2026-11-21");
  expect(today.listTime("2026-11-21T17:32:00Z")).toBe("14:32");
  expect(formatOf("pt", "America/Sao_Paulo", "2026-11-21")).toBe(today);

  vi.advanceTimersByTime(60_000);
  const tomorrow = formatOf("pt", "America/Sao_Paulo", "2026-11-22");
  expect(tomorrow).not.toBe(today);
  expect(tomorrow.listTime("2026-11-21T17:32:00Z")).toBe("21/11/2026");
});

test("today and yesterday are calendar days, also where the clocks have gone forward", () => {
  const words = { today: "Hoje", yesterday: "Ontem" };
  // half past midnight on the day after the one of 23 hours
  const newYork = createFormat("pt", "America/New_York", () => Date.parse("2026-03-09T04:30:00Z"));
  const days = ["2026-03-09T04:01:00Z", "2026-03-08T05:01:00Z", "2026-03-08T04:59:00Z"];
  expect(days.map((at) => newYork.day(at, words))).toEqual(["Hoje", "Ontem", "07/03/2026"]);
  const newYear = createFormat("pt", "UTC", () => Date.parse("2027-01-01T00:00:00Z"));
  expect(newYear.day("2026-12-31T00:00:00Z", words)).toBe("Ontem");
});

test("money, counts, sizes and durations", () => {
  expect(format.money(1234.5).replace(/\s/g, " ")).toBe("R$ 1.234,50");
  expect(createFormat("es", "America/Sao_Paulo").money(1234.5).replace(/\s/g, " ")).toBe("R$ 1.234,50");
  expect(format.money(0.5, "USD").replace(/\s/g, " ")).toBe("US$ 0,50");
  expect(createFormat("en", "America/Sao_Paulo").money(0.5, "USD")).toBe("$0.50");
  expect(format.number(1_234_567)).toBe("1.234.567");
  expect([0, 999, 1_400_000].map(format.bytes)).toEqual(["0 B", "999 B", "1,4 MB"]);
  expect([0, 75, 600].map(format.minutes)).toEqual(["00 h 00 m", "01 h 15 m", "10 h 00 m"]);
  expect(format.clock(75.9)).toBe("1:15");
});

test.each([
  ["2026-11-21", 0],
  ["2026-11-25", 4],
  ["2026-11-20", -1],
])("%s is %i days away", (dueDate, days) => {
  // 23:30 of the 21st in São Paulo is the 22nd in UTC.
  expect(daysUntil(dueDate, "America/Sao_Paulo", Date.parse("2026-11-22T02:30:00Z"))).toBe(days);
});

test.each([
  [undefined, 1],
  ["", 1],
  ["0", 0],
  ["0.34", 0.3],
  ["1", 1],
  ["7", 1],
  ["loud", 1],
])("a stored volume of %s is %d (S-04)", (text, volume) => {
  expect(parseVolume(text)).toBe(volume);
});
