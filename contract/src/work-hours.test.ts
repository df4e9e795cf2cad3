import { sendingDefaults } from "./sending.ts";
import { expect, test } from "vitest";
import { closingOf, endOfDay, nextOpening } from "./work-hours.ts";

const { hours } = sendingDefaults;
const saoPaulo = "America/Sao_Paulo";
const opening = (at: string, changes: object = {}, zone = saoPaulo) =>
  nextOpening({ ...hours, ...changes }, new Date(at), zone)?.toISOString() ?? "open";

// 2026-05-04 is a Monday; São Paulo is three hours behind UTC.
test.each([
  ["2026-05-04T11:00:00Z", "open"],
  ["2026-05-04T10:59:00Z", "2026-05-04T11:00:00.000Z"],
  ["2026-05-04T22:59:00Z", "open"],
  ["2026-05-04T23:00:00Z", "2026-05-05T11:00:00.000Z"],
  ["2026-05-09T23:00:00Z", "2026-05-11T11:00:00.000Z"],
  ["2026-05-10T15:00:00Z", "2026-05-11T11:00:00.000Z"],
])("at %s work hours begin: %s (P-03)", (at, expected) => {
  expect(opening(at)).toBe(expected);
});

test("one weekday alone is found a week ahead, and without hours it is always open (P-03)", () => {
  expect(opening("2026-05-04T23:00:00Z", { weekdays: ["monday"] })).toBe("2026-05-11T11:00:00.000Z");
  expect(opening("2026-05-10T03:00:00Z", { isOn: false })).toBe("open");
});

test("hours end on the day that they began, and without hours never (P-03)", () => {
  const at = new Date("2026-05-04T12:00:00Z");
  expect(closingOf(hours, at, saoPaulo)?.toISOString()).toBe("2026-05-04T23:00:00.000Z");
  expect(closingOf({ ...hours, isOn: false }, at, saoPaulo)).toBeNull();
});

test.each([
  ["2026-05-04T15:00:00Z", saoPaulo, "2026-05-05T03:00:00.000Z"],
  ["2026-05-05T02:59:59Z", saoPaulo, "2026-05-05T03:00:00.000Z"],
  ["2026-05-05T03:00:00Z", saoPaulo, "2026-05-06T03:00:00.000Z"],
  ["2026-05-04T15:30:00Z", "Pacific/Auckland", "2026-05-05T12:00:00.000Z"],
])("the day of %s in %s ends at %s (P-03)", (at, zone, expected) => {
  expect(endOfDay(new Date(at), zone).toISOString()).toBe(expected);
});
