import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { createMovedClock } from "../server/src/platform/clock/index.ts";
import { openDatabase } from "../server/src/platform/db/index.ts";
import { arrangeCampaign } from "../server/src/testing/campaign-storm/arrange-campaign.ts";
import { openCampaignProduct } from "../server/src/testing/campaign-storm/open-product.ts";
import { makeCompany } from "../server/src/testing/storm/company.ts";
import { cpuOfFamily } from "./cpu.ts";

/** A few companies that send at once, each by so many lines; each line writes to one contact a round of the moved clock. */
const companies = 4;
const lines = 40;
const rounds = 15;
const warmUpRounds = 3;
const pace = { messageInterval: 20, longerIntervalAfter: 0, greaterInterval: 0 };

/**
 * Campaigns without a network: decisions a second, which find or create contact and ticket, ask the gate and store the message;
 * and what one message costs from the time that it is due until its result says sent.
 */
export async function measureCampaign(url: string, databasePid: number): Promise<[what: string, value: number][]> {
  const decided = await run(url, databasePid, false);
  const sent = await run(url, databasePid, true);
  return [
    ["campaign: decisions/s", decided.perSecond],
    ["campaign: CPU ms a decision", decided.cpuMs],
    ["campaign: database CPU ms a decision", decided.databaseMs],
    ["campaign, due to sent: CPU ms a message", sent.cpuMs],
    ["campaign, due to sent: database CPU ms a message", sent.databaseMs],
    ["campaign, due to sent: messages/s", sent.perSecond],
  ];
}

async function run(url: string, databasePid: number, hasLines: boolean) {
  const folder = await mkdtemp(join(tmpdir(), "prosa-bench-"));
  const clock = createMovedClock(new Date("2026-11-18T13:00:00Z"));
  const log = pino({ level: "fatal" });
  const db = openDatabase({ url, log, max: 2, systemMax: 2, clock });
  const contacts = lines * (rounds + warmUpRounds + 10);
  const connectionIds: number[] = [];
  for (let n = 0; n < companies; n += 1) {
    const { companyId } = await makeCompany(db, `bench${Date.now()}`);
    const actor = { kind: "system", companyId, reason: "bench" } as const;
    const arranged = await db.inCompany({ actor, companyId, log, clock }, (ctx) =>
      arrangeCampaign(ctx, { contacts, lines, pace }),
    );
    connectionIds.push(...arranged.connectionIds);
  }
  const product = await openCampaignProduct({
    databaseUrl: url,
    folder,
    clock,
    connectionIds: hasLines ? connectionIds : [],
  });
  const play = async (count: number) => {
    for (let round = 0; round < count; round += 1) {
      // Longer than a message without a line holds up the next one.
      clock.advance({ minutes: 6 });
      await product.drain();
    }
  };
  try {
    await play(warmUpRounds);
    const databaseCpu = cpuOfFamily(databasePid);
    const cpu = process.cpuUsage();
    const began = performance.now();
    await play(rounds);
    const seconds = (performance.now() - began) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    const count = companies * rounds * lines;
    return {
      perSecond: count / seconds,
      cpuMs: (user + system) / 1_000 / count,
      databaseMs: (cpuOfFamily(databasePid) - databaseCpu) / count,
    };
  } finally {
    await product.close();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}
