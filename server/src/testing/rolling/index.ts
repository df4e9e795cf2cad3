import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { backUp, restore } from "#server/app/backup/index.ts";
import { inDatabase, onServer, openDatabase } from "#server/platform/db/index.ts";
import { openStorage } from "#server/platform/storage/index.ts";
import { startKeepAliveProxy } from "../keep-alive-proxy.ts";
import { startServerProcess, startSimProcess } from "../processes.ts";
import type { ServerProcess, SimProcess } from "../processes.ts";
import { makeCompany } from "../storm/company.ts";
import { createAgent, createCustomers } from "../storm/traffic.ts";
import type { Observations, Verdict } from "../storm/verdict.ts";
import { waitUntil } from "../wait-until.ts";
import { countingApi } from "./counting-api.ts";
import {
  environment,
  judgeLoad,
  LINES,
  linkLines,
  log,
  openTickets,
  queryOf,
  seconds,
  SECRET,
  SETTLE_WITHIN_MS,
  startLoad,
} from "./load.ts";

export { runUpgradeBeside } from "./upgrade-beside.ts";

export interface RollingOptions {
  readonly folder: string;
  /** Of a migrated database of a server where databases may be created. */
  readonly databaseUrl: string;
  readonly onProgress: (words: string) => void;
}

export interface RollingReport {
  /** Faults; all must be 0. */
  readonly verdict: Verdict & { readonly failedRequests: number; readonly restoredLost: number };
  readonly observations: Observations & {
    readonly requests: number;
    readonly restarts: number;
    readonly slowestMs: number;
    readonly secondsOfRolling: number;
    readonly messagesInBackup: number;
    readonly secondsOfBackup: number;
    readonly secondsOfRestore: number;
    /** From the start on the restored database until its line is connected, without pairing. */
    readonly secondsUntilConnected: number;
  };
}

/** One process of the installation, which a restart replaces on the same port. */
interface Member {
  readonly roles: string;
  current: ServerProcess;
}

/**
 * A rolling restart of three processes with http and realtime, two workers and two with lines behind a proxy without health checks, while
 * customers write, an agent answers and people read. Amid it a backup, which is restored elsewhere afterwards: the lines come back there
 * without pairing. Counts failed requests, and every message that is lost or doubled.
 */
export async function runRollingRestart(options: RollingOptions): Promise<RollingReport> {
  const { folder, databaseUrl, onProgress } = options;
  const db = openDatabase({ url: databaseUrl, log, max: 2, systemMax: 2 });
  const sim = await startSimProcess(join(folder, "network"));
  const members: Member[] = [];
  const launch = (roles: string, port = "0", url = databaseUrl) =>
    startServerProcess(environment(folder, url, sim, roles, port), { logFile: join(folder, "log") });
  try {
    for (const roles of ["http,realtime", "http,realtime", "http,realtime", "worker", "worker", "lines", "lines"]) {
      members.push({ roles, current: await launch(roles) });
      onProgress(`started ${members.length} of 7`);
    }
    const web = members.filter(({ roles }) => roles.startsWith("http"));
    const proxy = await startKeepAliveProxy(
      web.map(({ current }) => Number(new URL(current.url).port)),
      { failTimeoutMs: 10_000 },
    );
    const company = await makeCompany(db, `rolling${Date.now()}`);
    const query = queryOf(db, company.companyId);
    const api = await countingApi(proxy.url, company);
    const lines = await linkLines(api, sim, query);
    const line = lines[0]!;

    const customers = createCustomers(sim.client, LINES[0]!, 20);
    const tickets = await openTickets(customers, query, api);
    const agent = createAgent(api, tickets);
    const traffic = { customers, agent };

    // the storm, for as long as anything restarts
    let isOver = false;
    const load = startLoad(api, customers, agent, tickets, () => isOver);
    await sleep(3_000);
    const began = performance.now();
    let backup: ReturnType<typeof takeBackup> | undefined;
    for (const [index, member] of members.entries()) {
      if (index === 4) {
        backup = takeBackup(folder, databaseUrl);
      }
      const { port } = new URL(member.current.url);
      await member.current.stop();
      member.current = await launch(member.roles, port);
      onProgress(`restarted ${index + 1} of 7 (${member.roles})`);
    }
    const secondsOfRolling = seconds(began);
    const { file, secondsOfBackup } = await backup!;
    await sleep(2_000);
    isOver = true;
    const { verdict, sights } = await judgeLoad(load, { query, sim, line, traffic, onProgress });

    await Promise.all(members.map(({ current }) => current.stop()));
    await proxy.close();
    onProgress("restoring elsewhere");
    const restored = await restoreElsewhere({ options, sim, file, companyId: company.companyId, line, launch });
    return {
      verdict: { ...verdict, failedRequests: api.failed.length, restoredLost: restored.lost },
      observations: {
        ...sights,
        requests: api.count(),
        restarts: members.length,
        slowestMs: Math.round(api.slowestMs()),
        secondsOfRolling,
        secondsOfBackup,
        ...restored.seen,
      },
    };
  } finally {
    await Promise.all(members.map(({ current }) => current.kill()));
    await sim.kill();
    await db.close();
  }
}

async function takeBackup(folder: string, url: string): Promise<{ file: string; secondsOfBackup: number }> {
  const storage = await openStorage(undefined, join(folder, "data", "files"));
  const began = performance.now();
  const { file } = await backUp(
    { url, storage, keys: [SECRET], passphrase: undefined },
    join(folder, "backups"),
    new Date(),
  );
  return { file, secondsOfBackup: seconds(began) };
}

interface Elsewhere {
  readonly options: RollingOptions;
  readonly sim: SimProcess;
  readonly file: string;
  readonly companyId: number;
  readonly line: number;
  readonly launch: (roles: string, port: string, url: string) => Promise<ServerProcess>;
}

/** Restores into another database, which compares every table with the moment of the backup, and starts one process on it. */
async function restoreElsewhere({ options, sim, file, companyId, line, launch }: Elsewhere) {
  const { folder, databaseUrl } = options;
  const name = `prosa_elsewhere_${Date.now()}`;
  await onServer(databaseUrl, (client) => client.query(`create database ${name} template template0 encoding 'UTF8'`));
  const url = inDatabase(databaseUrl, name);
  const storage = await openStorage(undefined, join(folder, "elsewhere"));
  const began = performance.now();
  await restore({ file, passphrase: undefined, url, log, storage, acceptKeys: async () => undefined }, new Date());
  const secondsOfRestore = seconds(began);
  const startedAt = performance.now();
  const server = await launch("http,realtime,worker,lines", "0", url);
  const db = openDatabase({ url, log, max: 2, systemMax: 2 });
  try {
    const query = queryOf(db, companyId);
    const [before] = await query(sql<{ count: number }>`select count(*)::int as count from messages`);
    const status = async () =>
      (await query(sql<{ status: string }>`select status from connections where id = ${line}`))[0]?.status;
    await waitUntil(async () => (await status()) === "CONNECTED", SETTLE_WITHIN_MS);
    const secondsUntilConnected = seconds(startedAt);
    // The sessions of the backup are older than those of the phones: what they write now must arrive all the same.
    const texts = Array.from({ length: 10 }, (_, n) => `depois da volta ${n}`);
    for (const [index, content] of texts.entries()) {
      await sim.client.call("says", {
        number: `55119${80_000_000 + index}`,
        to: LINES[0]!,
        content,
        id: `3AVOLTA${index}`,
      });
    }
    const arrived = async () =>
      query(sql<{ body: string }>`select body from messages where body like 'depois da volta%' and not is_stub`);
    await waitUntil(async () => (await arrived()).length === texts.length, 60_000).catch(() => undefined);
    return {
      lost: texts.length - (await arrived()).length,
      seen: { secondsOfRestore, secondsUntilConnected, messagesInBackup: before?.count ?? 0 },
    };
  } finally {
    await server.stop();
    await db.close();
  }
}
