import { expect, test } from "vitest";
import { addDays, dayText, isDay, nextWeekday } from "./days.ts";
import { presetsAt, timesLike, timesOfDay } from "./presets.ts";

const timeZone = "America/Sao_Paulo";

test.each([
  [
    "Monday morning",
    "2026-11-23T12:10:00Z",
    ["inAnHour 2026-11-23T10:10", "tonight 2026-11-23T18:00", "tomorrow 2026-11-24T09:00", "monday 2026-11-30T09:00"],
  ],
  [
    "after five, when 18:00 is less than an hour away",
    "2026-11-23T20:30:00Z",
    ["inAnHour 2026-11-23T18:30", "tomorrow 2026-11-24T09:00", "monday 2026-11-30T09:00"],
  ],
  [
    "Sunday, whose tomorrow is Monday",
    "2026-11-29T13:00:00Z",
    ["inAnHour 2026-11-29T11:00", "tonight 2026-11-29T18:00", "tomorrow 2026-11-30T09:00"],
  ],
  [
    "after eleven at night",
    "2026-11-24T02:30:00Z",
    ["inAnHour 2026-11-24T00:30", "tomorrow 2026-11-24T09:00", "monday 2026-11-30T09:00"],
  ],
])("the presets on %s (Z-05)", (_, now, offered) => {
  expect(presetsAt({ now: new Date(now), timeZone }).map(({ key, value }) => `${key} ${value}`)).toEqual(offered);
});

test("a day has 96 quarters of an hour (Z-05)", () => {
  expect(timesOfDay).toHaveLength(96);
  expect([timesOfDay[0], timesOfDay[37], timesOfDay.at(-1)]).toEqual(["00:00", "09:15", "23:45"]);
});

test("days are counted by the calendar, and written day first (Z-05)", () => {
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(nextWeekday("2026-11-23", 1)).toBe("2026-11-30");
  expect(dayText("2026-11-23")).toBe("23/11/2026");
  expect(dayText("banana")).toBe("banana");
  expect(["2026-02-30", "2026-2-3", ""].map(isDay)).toEqual([false, false, false]);
});

test.each([
  ["9", ["09:00", "09:15", "09:30", "09:45"]],
  ["9:3", ["09:30"]],
  ["9h", ["09:00", "09:15", "09:30", "09:45"]],
  ["0930", ["09:30"]],
  ["2", ["02:00", "02:15", "02:30", "02:45", "20:00"]],
  ["25", []],
  ["cedo", []],
])("typing %j lists the times that go on like it (Z-05)", (typed, first) => {
  expect(timesLike(typed).slice(0, 5)).toEqual(first);
});
