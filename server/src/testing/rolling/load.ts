import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { systemClock } from "#server/platform/clock/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import type { SimProcess } from "../processes.ts";
import { linkLine } from "../storm/link-line.ts";
import type { createAgent, createCustomers } from "../storm/traffic.ts";
import { computeVerdict, countOpen, NOTHING_OPEN } from "../storm/verdict.ts";
import type { RunQuery } from "../storm/verdict.ts";
import { waitUntil } from "../wait-until.ts";
import type { countingApi } from "./counting-api.ts";

/** What the runs of this folder have in common: an installation of processes, its lines, and the load on it. */

export const LINES = ["5511990000011", "5511990000012"];
export const SECRET = "one key for every process of the installation";
/** A loaded machine may need minutes for what waits at the end. */
export const SETTLE_WITHIN_MS = 180_000;
export const log = pino({ level: "fatal" });

export function environment(folder: string, url: string, sim: SimProcess, roles: string, port: string) {
  return {
    DATA_DIR: join(folder, "data"),
    DATABASE_URL: url,
    WHATSAPP_WS_URL: sim.wsUrl,
    NODE_EXTRA_CA_CERTS: sim.caFile,
    SIMULATOR: "off",
    SECRET_KEY: SECRET,
    ROLES: roles,
    PORT: port,
    DATABASE_CONNECTIONS: "5",
    DATABASE_SYSTEM_CONNECTIONS: "3",
  };
}

export function queryOf(db: Db, companyId: number): RunQuery {
  const actor = { kind: "system", companyId, reason: "rolling restart" } as const;
  return (query) =>
    db.read(
      { actor, companyId, log, clock: systemClock },
      async (ctx) => await query.execute(ctx.db).then(({ rows }) => rows),
    );
}

export type Api = Awaited<ReturnType<typeof countingApi>>;

export async function linkLines(api: Api, sim: SimProcess, query: RunQuery): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, number] of LINES.entries()) {
    const { id } = await api.call<{ id: number }>("POST", "/whatsapp", { name: `Loja ${index}`, provider: "beta" });
    await linkLine(sim.client, query, id, number);
    ids.push(id);
  }
  return ids;
}

export async function openTickets(customers: ReturnType<typeof createCustomers>, query: RunQuery, api: Api) {
  for (const index of customers.numbers.keys()) {
    await customers.send(index);
  }
  const pending = () =>
    query(sql<{ id: number; number: string }>`
      select t.id, c.number from tickets t join contacts c on c.id = t.contact_id where t.status = 'pending'`);
  await waitUntil(async () => (await pending()).length === customers.numbers.length);
  const found = await pending();
  for (const { id } of found) {
    await api.call("PUT", `/tickets/${id}`, { status: "open" });
  }
  return new Map(found.map(({ id, number }) => [number, id]));
}

async function loop(isOver: () => boolean, everyMs: number, work: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    await work();
    await sleep(randomInt(everyMs * 2));
  }
}

export function seconds(since: number): number {
  return Math.round((performance.now() - since) / 100) / 10;
}

/** Customers write, an agent answers and people read, until it is over. */
export function startLoad(
  api: Api,
  customers: ReturnType<typeof createCustomers>,
  agent: ReturnType<typeof createAgent>,
  tickets: ReadonlyMap<string, number>,
  isOver: () => boolean,
): Promise<unknown> {
  return Promise.all([
    loop(isOver, 120, async () => customers.send(randomInt(20))),
    loop(isOver, 300, async () => agent.send()),
    loop(isOver, 60, async () => void (await api.call("GET", "/tickets?showAll=true"))),
    loop(isOver, 90, async () => void (await api.call("GET", `/messages/${[...tickets.values()][0]}`))),
  ]);
}

export interface EndOfLoad {
  readonly query: RunQuery;
  readonly sim: SimProcess;
  readonly line: number;
  readonly traffic: {
    readonly customers: ReturnType<typeof createCustomers>;
    readonly agent: ReturnType<typeof createAgent>;
  };
  readonly onProgress: (words: string) => void;
}

/** Waits until the load is over and nothing is open, as long as that may take, and compares both sides. */
export async function judgeLoad(load: Promise<unknown>, { query, sim, line, traffic, onProgress }: EndOfLoad) {
  await load;
  await traffic.agent.done();
  onProgress("waiting until settled");
  await waitUntil(
    async () => (await countOpen(query, sim.client, line, traffic)) === NOTHING_OPEN,
    SETTLE_WITHIN_MS,
  ).catch(() => undefined);
  return computeVerdict(query, sim.client, line, traffic);
}
