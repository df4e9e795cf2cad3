import { execFileSync } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { migrateToLatest, openDatabase } from "#server/platform/db/index.ts";
import { startKeepAliveProxy } from "../keep-alive-proxy.ts";
import { startServerProcess, startSimProcess } from "../processes.ts";
import type { ServerProcess } from "../processes.ts";
import { makeCompany } from "../storm/company.ts";
import { createAgent, createCustomers } from "../storm/traffic.ts";
import type { Observations, Verdict } from "../storm/verdict.ts";
import { countingApi } from "./counting-api.ts";
import { environment, judgeLoad, LINES, linkLines, log, openTickets, queryOf, seconds, startLoad } from "./load.ts";

export interface UpgradeBesideOptions {
  readonly folder: string;
  /** Of an empty database. */
  readonly databaseUrl: string;
  /** Commit or tag of the release that serves meanwhile. */
  readonly from: string;
  readonly onProgress: (words: string) => void;
}

export interface UpgradeBesideReport {
  /** Faults; all must be 0. */
  readonly verdict: Verdict & { readonly failedRequests: number };
  readonly observations: Observations & {
    readonly requests: number;
    readonly slowestMs: number;
    readonly secondsOfMigration: number;
  };
}

const root = join(import.meta.dirname, "../../../..");
const BEFORE_AND_AFTER_MS = 15_000;

/**
 * The release of before serves from its own checkout, with its own packages, while this one migrates the schema under it: customers write,
 * an agent answers, people read. It goes on serving on the new schema for a while, then a process of this release takes over.
 */
export async function runUpgradeBeside(options: UpgradeBesideOptions): Promise<UpgradeBesideReport> {
  const { folder, databaseUrl, from, onProgress } = options;
  const checkout = join(folder, "before");
  execFileSync("git", ["worktree", "add", "--force", "--detach", checkout, from], { cwd: root, stdio: "ignore" });
  onProgress(`installing the packages of ${from}`);
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: checkout, stdio: "ignore" });
  const sim = await startSimProcess(join(folder, "network"));
  const running: ServerProcess[] = [];
  const launch = async (port: string, from?: string) => {
    const env = environment(folder, databaseUrl, sim, "http,realtime,worker,lines", port);
    const server = await startServerProcess(env, { logFile: join(folder, "log"), ...(from && { root: from }) });
    running.push(server);
    return server;
  };
  const db = openDatabase({ url: databaseUrl, log, max: 2, systemMax: 2 });
  let isOver = false;
  try {
    const before = await launch("0", checkout);
    void before.ended.then(() => onProgress("the process of before has ended"));
    void sim.ended.then(() => onProgress("the network has ended"));
    const portOfNext = await freePort();
    const proxy = await startKeepAliveProxy([Number(new URL(before.url).port), portOfNext], { failTimeoutMs: 200 });
    const company = await makeCompany(db, `upgrade${Date.now()}`);
    const query = queryOf(db, company.companyId);
    const api = await countingApi(proxy.url, company);
    const line = (await linkLines(api, sim, query))[0]!;
    const customers = createCustomers(sim.client, LINES[0]!, 20);
    const tickets = await openTickets(customers, query, api);
    const agent = createAgent(api, tickets);
    const traffic = { customers, agent };

    const load = startLoad(api, customers, agent, tickets, () => isOver);
    await sleep(BEFORE_AND_AFTER_MS);
    const count = () =>
      db.systemRaw<{ n: number }>(
        { name: "migrations", text: "select count(*)::int as n from pg_class where relkind = 'r'" },
        [],
      );
    const tablesBefore = (await count())[0]?.n ?? 0;
    const began = performance.now();
    await migrateToLatest({ url: databaseUrl, log });
    const secondsOfMigration = seconds(began);
    onProgress(`migrated in ${secondsOfMigration} s, ${((await count())[0]?.n ?? 0) - tablesBefore} new tables`);
    await sleep(BEFORE_AND_AFTER_MS);
    onProgress(`${api.failed.length} failed requests so far; this release takes over`);
    await launch(String(portOfNext));
    await before.stop();
    await sleep(BEFORE_AND_AFTER_MS);
    isOver = true;
    const { verdict, sights } = await judgeLoad(load, { query, sim, line, traffic, onProgress });
    await proxy.close();
    return {
      verdict: { ...verdict, failedRequests: api.failed.length },
      observations: {
        ...sights,
        requests: api.count(),
        slowestMs: Math.round(api.slowestMs()),
        secondsOfMigration,
      },
    };
  } catch (error) {
    // before the load meets processes that are gone
    isOver = true;
    onProgress(String(error));
    throw error;
  } finally {
    await Promise.all(running.map((server) => server.kill()));
    await sim.kill();
    await db.close();
    execFileSync("git", ["worktree", "remove", "--force", checkout], { cwd: root, stdio: "ignore" });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
