import { setTimeout as sleep } from "node:timers/promises";
import { setScriptedCustomers, loadConnection } from "#server/features/connections/index.ts";
import { findCompanies, renewForAYear } from "#server/features/companies/index.ts";
import {
  findChatHistory,
  findGroupHistory,
  linkPhone,
  openSimulatorLine,
  restoreChats,
  restoreGroups,
} from "#server/features/simulator/index.ts";
import { operatorEmailOf } from "#server/features/users/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Services } from "#server/platform/services.ts";
import { clearDemo, demoCompany, demoOperator, demoOperatorCompany, demoSignIns, seedDemo } from "../../seeds/demo.ts";
import { findDemoLine, lockDemoSeed } from "../../seeds/demo/demo.queries.ts";
import type { DemoLine } from "../../seeds/demo/demo.queries.ts";
import { findOperatorEmail } from "#server/features/setup/index.ts";

/** Credentials that are printed at start. */
export type DemoSignIn = (typeof demoSignIns)[number];

/** Interval and time limit of the wait for a QR code to scan. */
const POLL_EVERY_MS = 500;
const POLL_FOR_MS = 120_000;

/**
 * Seeds an empty database with the demo company, through the services, and returns its sign-ins. A database that has
 * companies is not seeded; if the demo is one of them its sign-ins are returned. A seed that was killed starts again;
 * a line that was not linked before the kill is linked now.
 */
export async function prepareDemo(services: Services): Promise<readonly DemoSignIn[]> {
  await seedEmptyDatabase(services);
  if ((await findOperatorEmail(services.db)) !== demoOperator) {
    return [];
  }
  await renewDemo(services);
  const line = await findDemoLine(services.db, demoCompany);
  if (line?.hasScriptedCustomers && !services.config.demo.people) {
    await disableScriptedCustomers(services, line);
  }
  if (line?.wasNeverLinked) {
    void scanQrWhenShown(services, line.companyId, line.id);
  }
  return demoSignIns;
}

/** Each start renews the demo, so that one that is tried out for a year is not found expired one morning. */
function renewDemo({ db, clock }: Services): Promise<void> {
  return db.systemTx(async (tx) => {
    for (const company of [demoCompany, demoOperatorCompany]) {
      await renewForAYear(tx, company, clock.now());
    }
  });
}

/** DEMO_PEOPLE=off also applies to a demo that was seeded with it on; the phone screen then shows the switch off. */
async function disableScriptedCustomers({ db, log, clock }: Services, { companyId, id }: DemoLine): Promise<void> {
  const actor = { kind: "system", companyId, reason: "demo" } as const;
  await db.inCompany({ actor, companyId, log, clock }, (ctx) => setScriptedCustomers(ctx, id, false));
}

function seedEmptyDatabase(services: Services): Promise<void> {
  const { db, log } = services;
  return db.systemTx(async (tx) => {
    // Another process that starts at the same time waits here, then finds the companies.
    await lockDemoSeed(tx);
    const [first, ...others] = await findCompanies(tx);
    const isIncomplete =
      first?.name === demoCompany && others.length === 0 && (await operatorEmailOf(tx)) === undefined;
    if (first && !isIncomplete) {
      return;
    }
    if (first) {
      log.info("demo seed incomplete, seeding again");
      await clearDemo(services, first.id);
    }
    const began = performance.now();
    await seedDemo(services, () => lockDemoSeed(tx));
    log.info({ ms: Math.round(performance.now() - began) }, "demo seeded");
  });
}

/** Scans the first QR code of the demo's line, so that the line connects within the first minute. */
async function scanQrWhenShown(services: Services, companyId: number, connectionId: number): Promise<void> {
  const { db, log, clock, config, storage } = services;
  if (!config.whatsapp.simulator || !config.roles.has("lines")) {
    return;
  }
  const actor = { kind: "system", companyId, reason: "demo" } as const;
  const scope = { actor, companyId, log, clock };
  for (let waited = 0; waited < POLL_FOR_MS; waited += POLL_EVERY_MS) {
    await sleep(POLL_EVERY_MS, undefined, { ref: false });
    try {
      const connection = await db.read(scope, (ctx) => loadConnection(ctx, connectionId));
      if (connection.status === "CONNECTED") {
        return;
      }
      if (connection.status === "qrcode") {
        const line = await openSimulatorLine(config.dataDir, companyId, connection);
        await restoreChats(storage, line, await db.read(scope, (ctx) => findChatHistory(ctx, connectionId)));
        await restoreGroups(storage, line, await db.read(scope, (ctx) => findGroupHistory(ctx, connectionId)));
        await linkPhone(line);
      }
    } catch (error) {
      // The simulator is still starting, the QR code was just replaced, or the product stops: try again.
      log.debug({ err: error, isKnown: error instanceof AppError }, "demo QR code not scanned yet");
    }
  }
}
