import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import { createMovedClock } from "../clock/index.ts";
import { openDatabase } from "../db/index.ts";
import { slotOf } from "./cron.ts";
import type { Cron } from "./index.ts";
import { createJobRunner } from "./index.ts";

const run = () => Promise.resolve();

test.each<[string, Cron, string]>([
  ["each minute", { name: "a", run, everySeconds: 60 }, "2026-03-01T10:07:00Z"],
  ["at a minute that passed", { name: "a", run, at: { minute: 5 } }, "2026-03-01T10:05:00Z"],
  ["at a minute to come", { name: "a", run, at: { minute: 30 } }, "2026-03-01T09:30:00Z"],
  ["at an hour that passed", { name: "a", run, at: { hour: 3, minute: 15 } }, "2026-03-01T03:15:00Z"],
  ["at an hour to come", { name: "a", run, at: { hour: 23, minute: 0 } }, "2026-02-28T23:00:00Z"],
])("a cron %s was last due at its time", (_, cron, expected) => {
  expect(slotOf(cron, new Date("2026-03-01T10:07:09Z"))).toEqual(new Date(expected));
});

test("a cron runs once for each time, over two runners, and makes up for a pause with one run", async () => {
  const clock = createMovedClock("2026-03-01T10:00:00Z");
  const database = await createTestDatabase({ closeAfterTest: true });
  const other = openDatabase({ url: database.url, log: database.log, max: 2, systemMax: 2 });
  onTestFinished(() => other.close());

  let runs = 0;
  const crons = [{ name: "count", everySeconds: 60, run: async () => void (runs += 1) }];
  const runners = [database.db, other].map((db) => createJobRunner({ db, tasks: {}, crons, clock, log: database.log }));
  const drainBoth = () => Promise.all(runners.map((runner) => runner.drain()));

  await drainBoth();
  expect(runs).toBe(0);
  for (const expected of [1, 2, 3]) {
    clock.advance({ minutes: 1 });
    await drainBoth();
    await drainBoth();
    expect(runs).toBe(expected);
  }
  clock.advance({ hours: 5 });
  await drainBoth();
  await drainBoth();
  expect(runs).toBe(4);
});

test("a cron runs on after a clock that was a day ahead is set back", async () => {
  const clock = createMovedClock("2026-03-01T10:00:00Z");
  const database = await createTestDatabase({ closeAfterTest: true });
  let runs = 0;
  const crons = [{ name: "count", everySeconds: 60, run: async () => void (runs += 1) }];
  const runner = createJobRunner({ db: database.db, tasks: {}, crons, clock, log: database.log });
  await runner.drain();
  clock.advance({ days: 1 });
  await runner.drain();
  expect(runs).toBe(1);
  clock.advance({ days: -1 });
  for (const expected of [2, 3, 4]) {
    await runner.drain();
    await runner.drain();
    expect(runs).toBe(expected);
    clock.advance({ minutes: 1 });
  }
});
