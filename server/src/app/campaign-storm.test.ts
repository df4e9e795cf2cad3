import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCampaignStorm } from "#server/testing/campaign-storm/index.ts";
import { createTestDatabase } from "#server/testing/database.ts";

/** The short form of `npm run storm -- --campaign`. */
test("kill -9 of two workers amid a campaign, cancelled and restarted: each contact gets one message (K-04, K-05, P-02)", async () => {
  const database = await createTestDatabase({ closeAfterTest: true });
  const folder = await mkdtemp(join(tmpdir(), "prosa-campaign-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));

  const { verdict, observations } = await runCampaignStorm({
    folder,
    databaseUrl: database.url,
    contacts: 300,
    kills: 10,
    killEveryMs: 600,
    speed: 60,
    withinMs: 150_000,
  });
  expect(verdict).toEqual({ without: 0, twice: 0, toOptedOut: 0, toInvalid: 0, tooSoon: 0, unevenVariants: 0 });
  expect(observations.kills).toBe(10);
  expect(observations.messages).toBeGreaterThan(200);
  expect(observations.optedOut).toBeGreaterThan(5);
}, 300_000);
