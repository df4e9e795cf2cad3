import type { Schedule } from "@prosa/contract/schedules";
import { describe, expect, test } from "vitest";
import { proposedTimeOn, putIntoRange, rangeOf, shownUntil } from "./ranges.ts";

const timeZone = "America/Sao_Paulo";
const november = rangeOf(new Date("2026-11-01T03:00:00Z"), new Date("2026-12-01T03:00:00Z"), timeZone);
const schedule = (id: number, sendAt: string) => ({ id, sendAt }) as Schedule;
const ids = (schedules: readonly Schedule[]) => schedules.map(({ id }) => id);

describe("the days of a calendar (O-03)", () => {
  test("end before the midnight at which the view ends", () => {
    expect(november).toEqual({ dateStart: "2026-11-01", dateEnd: "2026-11-30", timeZone });
  });

  test("take in what is moved to them, in its place, and let go of what is moved away", () => {
    const shown = [schedule(1, "2026-11-05T12:00:00Z"), schedule(2, "2026-11-07T12:00:00Z")];
    expect(ids(putIntoRange(shown, schedule(3, "2026-11-06T12:00:00Z"), november))).toEqual([1, 3, 2]);
    expect(ids(putIntoRange(shown, schedule(1, "2026-11-09T12:00:00Z"), november))).toEqual([2, 1]);
    expect(ids(putIntoRange(shown, schedule(1, "2027-01-09T12:00:00Z"), november))).toEqual([2]);
    expect(ids(putIntoRange(shown, schedule(9, "2027-01-09T12:00:00Z"), november))).toEqual([1, 2]);
  });

  test("are the company's: the last hours of the month are no longer November in UTC", () => {
    expect(ids(putIntoRange([], schedule(4, "2026-12-01T02:59:00Z"), november))).toEqual([4]);
    expect(ids(putIntoRange([], schedule(4, "2026-12-01T03:00:00Z"), november))).toEqual([]);
  });
});

test("a click on a day proposes its morning, on today one hour from now (O-03)", () => {
  const now = new Date("2026-11-18T18:20:00Z");
  expect(proposedTimeOn("2026-11-20", { now, timeZone }).toISOString()).toBe("2026-11-20T12:00:00.000Z");
  expect(proposedTimeOn("2026-11-18", { now, timeZone }).toISOString()).toBe("2026-11-18T19:20:00.000Z");
});

test("a message of 23:31 is drawn until midnight, not into the next day (O-03)", () => {
  expect(shownUntil("2026-11-28T02:31:00Z", timeZone).toISOString()).toBe("2026-11-28T03:00:00.000Z");
  expect(shownUntil("2026-11-28T02:30:00Z", timeZone).toISOString()).toBe("2026-11-28T03:00:00.000Z");
  expect(shownUntil("2026-11-28T15:00:00Z", timeZone).toISOString()).toBe("2026-11-28T15:30:00.000Z");
});
