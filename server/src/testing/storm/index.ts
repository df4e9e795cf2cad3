import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { systemClock } from "#server/platform/clock/index.ts";
import { openDatabase } from "#server/platform/db/index.ts";
import { startServerProcess, startSimProcess } from "../processes.ts";
import type { ServerProcess, SimProcess } from "../processes.ts";
import { waitUntil } from "../wait-until.ts";
import { signInWithRetries } from "./retrying-api.ts";
import { makeCompany } from "./company.ts";
import { linkLine } from "./link-line.ts";
import { createAgent, createCustomers } from "./traffic.ts";
import type { Agent, Customers } from "./traffic.ts";
import { countOpen, computeVerdict, NOTHING_OPEN } from "./verdict.ts";
import type { RunQuery, Observations, Verdict } from "./verdict.ts";

export interface StormOptions {
  /** For state, data and logs of the storm. */
  readonly folder: string;
  /** A migrated database; in the long form that of the embedded server. */
  readonly databaseUrl: string;
  readonly customers: number;
  readonly inboundPerRound: number;
  readonly outboundPerRound: number;
  /** Whether to run another round. Each ends with a kill -9. */
  readonly hasNextRound: (round: number) => boolean;
  /** Kills something else at the same time as the server. */
  readonly killAlso?: (round: number) => Promise<void>;
  readonly onProgress?: (words: string) => void;
}

export interface StormReport {
  readonly verdict: Verdict;
  readonly observations: Observations & { readonly kills: number };
}

const LINE = "5511990000001";
const LAUNCHES = 5;
/** Without progress for this long the storm counts as settled; a busy machine needs minutes for its backlog. */
const SETTLED_AFTER_MS = 120_000;
const POLL_EVERY_MS = 500;

/**
 * Repeated kill -9 of the server while customers write and an agent answers (W-08, M-05). wa-sim and the product are
 * processes of their own; the agent repeats calls without an answer, as the browser's outbox does.
 */
export async function runStorm(options: StormOptions): Promise<StormReport> {
  const { folder, databaseUrl, onProgress = () => undefined } = options;
  const log = pino({ level: "fatal" });
  const db = openDatabase({ url: databaseUrl, log, max: 2, systemMax: 2 });
  const sim = await startSimProcess(join(folder, "network"));
  let server: ServerProcess | undefined;
  try {
    const company = await makeCompany(db, `storm${Date.now()}`);
    const actor = { kind: "system", companyId: company.companyId, reason: "storm" } as const;
    const query: RunQuery = (query) =>
      db.read({ actor, companyId: company.companyId, log, clock: systemClock }, async (ctx) => {
        const { rows } = await query.execute(ctx.db);
        return rows;
      });
    const launch = () => launchWithRetries(environment(folder, databaseUrl, sim), join(folder, "log"));

    server = await launch();
    const api = await signInWithRetries(() => server?.url ?? "", company);
    const { id: connectionId } = await api.call<{ id: number }>("POST", "/whatsapp", {
      name: "Loja",
      provider: "beta",
    });
    await linkLine(sim.client, query, connectionId, LINE);

    const customers = createCustomers(sim.client, LINE, options.customers);
    const ticketByNumber = await acceptFirstTickets(customers, query, async (id) => {
      await api.call("PUT", `/tickets/${id}`, { status: "open" });
    });
    const agent = createAgent(api, ticketByNumber);
    const traffic = { customers, agent };

    let round = 0;
    for (; options.hasNextRound(round); round += 1) {
      server = await runRound({ server, launch, traffic, options, round });
      onProgress(`kill ${round + 1}`);
    }
    await agent.done();
    onProgress(`${round} kills, waiting until settled`);
    await waitUntilSettled(() => countOpen(query, sim.client, connectionId, traffic));
    const { verdict, sights } = await computeVerdict(query, sim.client, connectionId, traffic);
    return { verdict, observations: { ...sights, kills: round } };
  } finally {
    await server?.stop();
    await sim.kill();
    await db.close();
  }
}

/** As a process supervisor does: restarts a server that exits because its database is not up yet. */
async function launchWithRetries(env: Record<string, string>, logFile: string): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startServerProcess(env, { logFile });
    } catch (error) {
      if (attempt === LAUNCHES) {
        throw error;
      }
      await sleep(500);
    }
  }
}

function environment(folder: string, databaseUrl: string, sim: SimProcess): Record<string, string> {
  return {
    DATA_DIR: join(folder, "data"),
    DATABASE_URL: databaseUrl,
    WHATSAPP_WS_URL: sim.wsUrl,
    NODE_EXTRA_CA_CERTS: sim.caFile,
    SIMULATOR: "off",
  };
}

/** The first half of the customers has open tickets before the storm; the others write for the first time in it. */
async function acceptFirstTickets(
  customers: Customers,
  query: RunQuery,
  accept: (ticketId: number) => Promise<void>,
): Promise<Map<string, number>> {
  const first = customers.numbers.slice(0, Math.ceil(customers.numbers.length / 2));
  for (const index of first.keys()) {
    await customers.send(index);
  }
  const tickets = () =>
    query(sql<{ id: number; number: string }>`
      select t.id, c.number from tickets t join contacts c on c.id = t.contact_id where t.status = 'pending'`);
  await waitUntil(async () => (await tickets()).length === first.length);
  const found = await tickets();
  for (const { id } of found) {
    await accept(id);
  }
  return new Map(found.map(({ id, number }) => [number, id]));
}

interface Round {
  readonly server: ServerProcess;
  readonly launch: () => Promise<ServerProcess>;
  readonly traffic: { readonly customers: Customers; readonly agent: Agent };
  readonly options: StormOptions;
  readonly round: number;
}

/** Both sides send while the server runs; it is killed; customers send while it is down; it is started again. */
async function runRound({ server, launch, traffic, options, round }: Round): Promise<ServerProcess> {
  const { inboundPerRound, outboundPerRound } = options;
  const living = randomInt(200, 4_000);
  const whileAway = Math.floor(inboundPerRound / 3);
  const killed = sleep(living).then(() => Promise.all([server.kill(), options.killAlso?.(round)]));
  await Promise.all([
    killed,
    spread(living, inboundPerRound - whileAway, () => traffic.customers.send(randomInt(options.customers))),
    spread(living, outboundPerRound, async () => traffic.agent.send()),
  ]);
  for (let count = 0; count < whileAway; count += 1) {
    await traffic.customers.send(randomInt(options.customers));
  }
  return launch();
}

/** Runs the work `count` times at random moments within this time. */
async function spread(withinMs: number, count: number, work: () => Promise<void>): Promise<void> {
  const moments = Array.from({ length: count }, () => randomInt(withinMs)).toSorted((a, b) => a - b);
  const began = performance.now();
  for (const moment of moments) {
    await sleep(Math.max(0, moment - (performance.now() - began)));
    await work();
  }
}

/** Waits until nothing is open, or the open counts no longer change: the verdict then counts those as lost. */
async function waitUntilSettled(countsOpen: () => Promise<string>): Promise<void> {
  let before = "";
  let movedAt = performance.now();
  while (performance.now() - movedAt < SETTLED_AFTER_MS) {
    const open = await countsOpen();
    if (open === NOTHING_OPEN) {
      return;
    }
    if (open !== before) {
      before = open;
      movedAt = performance.now();
    }
    await sleep(POLL_EVERY_MS);
  }
}
