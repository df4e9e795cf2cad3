import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { systemClock } from "../server/src/platform/clock/index.ts";
import { openDatabase } from "../server/src/platform/db/index.ts";
import type { Db } from "../server/src/platform/db/index.ts";
import { startServerProcess, startSimProcess } from "../server/src/testing/processes.ts";
import type { ServerProcess, SimProcess } from "../server/src/testing/processes.ts";
import { makeCompany } from "../server/src/testing/storm/company.ts";
import { linkLine } from "../server/src/testing/storm/link-line.ts";
import type { RunQuery } from "../server/src/testing/storm/verdict.ts";
import { waitUntil } from "../server/src/testing/wait-until.ts";
import { cpuOf } from "./cpu.ts";

/** Connected idle lines. The first ones load code and caches that all share; a further one costs the difference. */
const FEW = 50;
const MANY = 150;
/** As many as the server opens in one look, which it takes every ten seconds where no event tells it. */
const AT_ONCE = 20;
const PEOPLE = 50;
const SINGLE = 150;
const BURST = 1_500;

interface Place {
  readonly db: Db;
  readonly look: RunQuery;
  readonly companyId: number;
  readonly sim: SimProcess;
  readonly launch: () => Promise<ServerProcess>;
  readonly memoryFile: string;
}

/** The real driver against the local WhatsApp server: messages a second, and what a connected line keeps in memory. */
export async function measureLines(databaseUrl: string, cache: string): Promise<[what: string, value: number][]> {
  const folder = join(cache, "lines");
  rmSync(folder, { recursive: true, force: true });
  const log = pino({ level: "fatal" });
  const db = openDatabase({ url: databaseUrl, log, max: 2 });
  const sim = await startSimProcess(join(cache, `network-${Date.now()}`));
  const { companyId } = await makeCompany(db, `lines${Date.now()}`);
  const actor = { kind: "system", companyId, reason: "bench" } as const;
  const look: RunQuery = (query) =>
    db.inCompany({ actor, companyId, log, clock: systemClock }, async (ctx) => (await query.execute(ctx.db)).rows);
  const memoryFile = join(cache, "memory.json");
  const launch = () =>
    startServerProcess(
      {
        DATABASE_URL: databaseUrl,
        DATA_DIR: folder,
        WHATSAPP_WS_URL: sim.wsUrl,
        NODE_EXTRA_CA_CERTS: sim.caFile,
        SIMULATOR: "off",
        BENCH_MEMORY: memoryFile,
      },
      { nodeArgs: ["--expose-gc", "--import", join(import.meta.dirname, "memory-on-signal.ts")] },
    );
  const place: Place = { db, look, companyId, sim, launch, memoryFile };
  try {
    return [...(await measureTraffic(place)), ...(await measureIdle(place))];
  } finally {
    // Keep them disconnected when the server starts for another measurement.
    await look(sql`update connections set wanted = 'down'`);
    await sim.kill();
    await db.close();
  }
}

async function measureTraffic(place: Place): Promise<[string, number][]> {
  const { look, sim, launch } = place;
  const server = await launch();
  try {
    const number = await newLine(place, 0);
    const people = Array.from({ length: PEOPLE }, (_, n) => `55118${70_000_000 + n}`);
    const say = (n: number) => ({
      number: people[n % PEOPLE]!,
      to: number,
      content: `Mensagem número ${n}, como tantas`,
    });
    const stored = async () => {
      const [row] = await look(sql<{ count: number }>`select count(*)::int as count from messages where not from_me`);
      return row?.count ?? 0;
    };
    await sim.client.call("saysAll", { messages: people.map((_number, n) => say(n)) });
    await waitUntil(async () => (await stored()) === PEOPLE);

    const cpu = cpuOf(server.pid);
    const began = performance.now();
    for (let n = 0; n < SINGLE; n += 1) {
      await sim.client.call("says", say(n));
      await sim.client.call("settled", { number });
    }
    const single = { seconds: (performance.now() - began) / 1_000, cpuMs: (cpuOf(server.pid) - cpu) / SINGLE };

    const burstCpu = cpuOf(server.pid);
    const burstBegan = performance.now();
    await sim.client.call("saysAll", { messages: Array.from({ length: BURST }, (_, n) => say(n)) });
    await sim.client.call("settled", { number, timeoutMs: 60_000 });
    const burst = { seconds: (performance.now() - burstBegan) / 1_000, cpuMs: (cpuOf(server.pid) - burstCpu) / BURST };
    await waitUntil(async () => (await stored()) === PEOPLE + SINGLE + BURST);
    return [
      ["driver: messages/s one by one", SINGLE / single.seconds],
      ["driver: CPU ms a message one by one", single.cpuMs],
      ["driver: messages/s in a burst", BURST / burst.seconds],
      ["driver: CPU ms a message in a burst", burst.cpuMs],
    ];
  } finally {
    await server.stop();
  }
}

/** All lines are linked already: the server starts without them, then they connect and stay idle. */
async function measureIdle(place: Place): Promise<[string, number][]> {
  const { look, launch } = place;
  const linking = await launch();
  for (let n = 1; n <= MANY; n += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, MANY - n + 1) }, (_, more) => newLine(place, n + more)));
  }
  await look(sql`delete from connections where name = 'line 0'`);
  await linking.stop();

  await look(sql`update connections set wanted = 'down'`);
  const server = await launch();
  try {
    await sleep(5_000);
    const none = await memoryOf(server, place.memoryFile);
    const few = await memoryWith(place, server, FEW);
    const many = await memoryWith(place, server, MANY);
    const heap = ({ heapUsed, external }: NodeJS.MemoryUsage) => heapUsed + external;
    const mb = (bytes: number, lines: number) => bytes / lines / 1024 ** 2;
    return [
      ["idle line: MB", mb(many.rss - few.rss, MANY - FEW)],
      ["idle line: MB of heap and buffers", mb(heap(many) - heap(few), MANY - FEW)],
      ["idle line: MB of the first 50, each", mb(few.rss - none.rss, FEW)],
    ];
  } finally {
    await server.stop();
  }
}

async function memoryWith({ look, memoryFile }: Place, server: ServerProcess, lines: number) {
  await look(
    sql`update connections set wanted = 'up' where id in (select id from connections order by id limit ${lines})`,
  );
  await waitUntil(async () => {
    const [row] = await look(sql<{ count: number }>`
      select count(*)::int as count from connections c join line_leases l on l.connection_id = c.id
      where c.status = 'CONNECTED'`);
    return row?.count === lines;
  }, 120_000);
  await sleep(10_000);
  return memoryOf(server, memoryFile);
}

/** A connection, and a phone that scans its code. Returns the phone's number. */
async function newLine({ look, companyId, sim }: Place, n: number): Promise<string> {
  const number = `55113${20_000_000 + n}`;
  const [row] = await look(sql<{ id: number }>`
    insert into connections (company_id, name) values (${companyId}, ${`line ${n}`}) returning id`);
  await linkLine(sim.client, look, row!.id, number);
  return number;
}

async function memoryOf({ pid }: ServerProcess, file: string): Promise<NodeJS.MemoryUsage> {
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  await waitUntil(async () => existsSync(file) && readFileSync(file, "utf8").endsWith("}"));
  return JSON.parse(readFileSync(file, "utf8")) as NodeJS.MemoryUsage;
}
