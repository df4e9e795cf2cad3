import { setTimeout as sleep } from "node:timers/promises";
import { setScriptedCustomers, loadConnection } from "#server/features/connections/index.ts";
import { findCompanies } from "#server/features/companies/index.ts";
import {
  findChatHistory,
  findGroupHistory,
  linkPhone,
  openSimulatorLine,
  restoreChats,
  restoreGroups,
} from "#server/features/simulator/index.ts";
import { operatorOf } from "#server/features/users/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Services } from "#server/platform/services.ts";
import { clearDemo, demoCompany, demoOperator, demoSignIns, seedDemo } from "../../seeds/demo.ts";
import { findFirstLine, lockTelling } from "../../seeds/demo/demo.queries.ts";
import type { DemoLine } from "../../seeds/demo/demo.queries.ts";
import { findOperatorEmail } from "./operator.ts";

/** A sign-in that is printed at start. */
export type DemoSignIn = (typeof demoSignIns)[number];

/** How often the owner of the demo's phone looks for a QR to scan, and for how long. */
const LOOK_EVERY_MS = 500;
const LOOK_FOR_MS = 120_000;

/**
 * Fills an empty database with the demo company, through the services, and returns its sign-ins. On a database that
 * has companies already it tells nothing; where the demo is among them its sign-ins are returned again. One that was
 * killed while it was told is told anew, and one that was killed before its line was scanned is scanned now.
 */
export async function prepareDemo(services: Services): Promise<readonly DemoSignIn[]> {
  await tellWhereNobodyIs(services);
  if ((await findOperatorEmail(services.db)) !== demoOperator) {
    return [];
  }
  const line = await findFirstLine(services.db, demoCompany);
  if (line?.isLively && !services.config.demo.people) {
    await silence(services, line);
  }
  if (line?.wasNeverLinked) {
    void scanWhenShown(services, line.companyId, line.id);
  }
  return demoSignIns;
}

/** DEMO_PEOPLE=off holds for a demo that was told with it on, too; the phone screen then shows the switch off. */
async function silence({ db, log, clock }: Services, { companyId, id }: DemoLine): Promise<void> {
  const actor = { kind: "system", companyId, reason: "demo" } as const;
  await db.inCompany({ actor, companyId, log, clock }, (ctx) => setScriptedCustomers(ctx, id, false));
}

function tellWhereNobodyIs(services: Services): Promise<void> {
  const { db, log } = services;
  return db.systemTx(async (tx) => {
    // Another process that starts at the same time waits here, and then finds everybody.
    await lockTelling(tx);
    const [first, ...others] = await findCompanies(tx);
    const isHalfTold = first?.name === demoCompany && others.length === 0 && (await operatorOf(tx)) === undefined;
    if (first && !isHalfTold) {
      return;
    }
    if (first) {
      log.info("the demo was not told to its end: it begins again");
      await clearDemo(services, first.id);
    }
    const began = performance.now();
    await seedDemo(services, () => lockTelling(tx));
    log.info({ ms: Math.round(performance.now() - began) }, "the demo is told");
  });
}

/** The owner of the demo's line scans its first QR, so that the first minute shows a connected line. */
async function scanWhenShown(services: Services, companyId: number, connectionId: number): Promise<void> {
  const { db, log, clock, config, storage } = services;
  if (!config.whatsapp.simulator || !config.roles.has("lines")) {
    return;
  }
  const actor = { kind: "system", companyId, reason: "demo" } as const;
  const scope = { actor, companyId, log, clock };
  for (let waited = 0; waited < LOOK_FOR_MS; waited += LOOK_EVERY_MS) {
    await sleep(LOOK_EVERY_MS, undefined, { ref: false });
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
      // The network is still starting, the QR was just replaced, or the product stops: look again.
      log.debug({ err: error, isKnown: error instanceof AppError }, "the demo's QR was not scanned yet");
    }
  }
}
