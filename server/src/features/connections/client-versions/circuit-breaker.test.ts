import { connections } from "@prosa/contract";
import { WaSim } from "@prosa/wa-sim";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";
import { linesOf } from "../lines.ts";
import { findRefusedVersions } from "./refused-versions.queries.ts";
import { createClientVersionCircuitBreaker, probeDelaySeconds } from "./circuit-breaker.ts";

const OLD = "2.3000.7";
const LINES = 3;

let sim: WaSim;
let apps: TestApp[];

beforeEach(async () => {
  sim = await WaSim.start();
  sim.faults.refusedVersions = [OLD];
  apps = [];
  const app = await aProcess();
  await sql`with company as (insert into companies (name) values ('Padaria') returning id)
    insert into connections (company_id, name) select id, 'Loja ' || n from company, generate_series(1, ${LINES}) n`.execute(
    app.db.system,
  );
});

afterEach(async () => {
  for (const app of apps.toReversed()) {
    linesOf(app.services).supervisor.crash();
    await app.close();
  }
  await sim.stop();
});

async function aProcess(version = OLD): Promise<TestApp> {
  const sameDatabaseAs = apps[0];
  const app = await createTestApp({
    ...(sameDatabaseAs && { sameDatabaseAs }),
    env: { WHATSAPP_WS_URL: sim.wsUrl, WHATSAPP_VERSION: version, SIMULATOR: "off" },
  });
  apps.push(app);
  linesOf(app.services).setIngest(async () => undefined);
  return app;
}

async function states(): Promise<string[]> {
  const { rows } = await sql<{ status: string; reason: string | null; owner: string | null }>`
    select status, reason, owner from connections left join line_leases on connection_id = id order by id`.execute(
    apps[0]!.db.system,
  );
  return rows.map(({ status, reason, owner }) => `${status} ${reason ?? ""} ${owner === null ? "free" : "held"}`);
}

async function until(expected: string): Promise<void> {
  await expect.poll(states).toEqual(Array.from({ length: LINES }, () => expected));
}

/** Makes the next probe due. */
const makeDue = () => sql`update refused_versions set next_try_at = clock_timestamp()`.execute(apps[0]!.db.system);

const reconcileAll = async () => {
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(apps.map((app) => linesOf(app.services).supervisor.reconcile()));
  }
};

test("a refused version blocks all lines, which say so; one line probes, and all connect once it is accepted (W-05)", async () => {
  const first = await aProcess();
  await linesOf(first.services).part.start();
  await until("DISCONNECTED versionRefused free");
  await linesOf(apps[0]!.services).part.start();
  const asked = sim.stats.refusedLogins;
  expect(asked).toBeLessThanOrEqual(LINES);
  await reconcileAll();
  expect(sim.stats.refusedLogins).toBe(asked);
  expect(
    (await first.services.metrics.registry.getSingleMetric("prosa_refused_versions")?.get())?.values,
  ).toMatchObject([{ value: 1 }]);

  const { admin: operator } = await aCompany(first, { isOperator: true });
  const answer = await first.as(operator).call(connections.refusedVersions);
  expect(answer.body).toMatchObject([{ version: OLD, tries: 1 }]);

  await makeDue();
  await reconcileAll();
  await expect.poll(() => sim.stats.refusedLogins).toBe(asked + 1);
  await until("DISCONNECTED versionRefused free");
  await reconcileAll();
  expect(sim.stats.refusedLogins).toBe(asked + 1);

  sim.faults.clear();
  await makeDue();
  await until("qrcode  held");
  expect(sim.stats.refusedLogins).toBe(asked + 1);
});

test("a process with another version opens the lines at once; one that restarts with the refused version does not log in (W-05)", async () => {
  await linesOf(apps[0]!.services).part.start();
  await until("DISCONNECTED versionRefused free");
  const asked = sim.stats.refusedLogins;

  const again = await aProcess();
  await sql`update connections set status = 'CONNECTED', reason = null`.execute(again.db.system);
  await linesOf(again.services).part.start();
  await until("DISCONNECTED versionRefused free");
  expect(sim.stats.refusedLogins).toBe(asked);

  const updated = await aProcess("2.3000.8");
  await linesOf(updated.services).part.start();
  await until("qrcode  held");
  expect(sim.stats.refusedLogins).toBe(asked);
});

test("a refusal that the network told another line does not open the circuit (W-05)", async () => {
  const { services, db } = apps[0]!;
  const circuitBreaker = createClientVersionCircuitBreaker(services, () => undefined);
  const refused = { status: "DISCONNECTED", reason: "versionRefused", detail: "" } as const;
  circuitBreaker.recordState("beta", { ...refused, isHearsay: true });
  await circuitBreaker.partition([]);
  expect(await findRefusedVersions(db)).toEqual([]);
  circuitBreaker.recordState("beta", refused);
  await circuitBreaker.partition([]);
  expect(await findRefusedVersions(db)).toMatchObject([{ version: OLD }]);
});

test("the delay between probes grows to an hour", () => {
  expect([1, 2, 3, 6, 7, 50].map(probeDelaySeconds)).toEqual([60, 120, 240, 1_920, 3_600, 3_600]);
});
