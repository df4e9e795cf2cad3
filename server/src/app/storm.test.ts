import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import { runStorm } from "#server/testing/storm/index.ts";

/** The short form of `npm run storm`. */
test("kill -9 of the server amid traffic loses nothing and doubles nothing, in or out (W-08, M-05)", async () => {
  const database = await createTestDatabase({ closeAfterTest: true });
  const folder = await mkdtemp(join(tmpdir(), "prosa-storm-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));

  const { verdict, observations } = await runStorm({
    folder,
    databaseUrl: database.url,
    customers: 12,
    inboundPerRound: 40,
    outboundPerRound: 10,
    hasNextRound: (round) => round < 5,
  });
  expect(verdict).toEqual({
    lost: 0,
    storedTwice: 0,
    wrongText: 0,
    stubsLeft: 0,
    outOfOrder: 0,
    answersLost: 0,
    answersTwice: 0,
    answersFailed: 0,
    answersOutOfOrder: 0,
    alarms: 0,
  });
  expect(observations).toMatchObject({ kills: 5, outbound: 50 });
  expect(observations.inbound).toBeGreaterThanOrEqual(200);
}, 400_000);
