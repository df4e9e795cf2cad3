import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTail, eventsSince } from "#server/platform/events/index.ts";
import { testLog } from "#server/testing/database.ts";
import { systemClock } from "../../clock/index.ts";
import { migrateToLatest } from "../migrate/migrator.ts";
import { openDatabase } from "../open-database.ts";
import type { Db } from "../open-database.ts";
import { startEmbedded } from "./embedded.ts";
import type { EmbeddedDatabase } from "./embedded.ts";
import { NOBODY_UID } from "./server-user.ts";

let dataDir: string;
let server: EmbeddedDatabase;
let db: Db;
beforeAll(async () => {
  // A blank in the path, as in "Program Files" or "my data".
  const parent = await mkdtemp(path.join(tmpdir(), "prosa-embedded-"));
  dataDir = path.join(parent, "my data");
  await mkdir(dataDir);
  server = await startEmbedded({ dataDir, log: testLog });
  await migrateToLatest({ url: server.url, log: testLog });
  db = openDatabase({ url: server.url, log: testLog, max: 2, systemMax: 2 });
});
afterAll(async () => {
  await db.close();
  await server.stop();
  await rm(path.dirname(dataDir), { recursive: true, force: true });
});

async function serverPid(): Promise<number> {
  const text = await readFile(path.join(dataDir, "postgres", "postmaster.pid"), "utf8").catch(() => "0");
  return Number(text.split("\n")[0]);
}

async function emit(n: number): Promise<void> {
  const actor = { kind: "system", companyId: 1, reason: "test" } as const;
  await db.inCompany({ actor, companyId: 1, log: testLog, clock: systemClock }, async (ctx) =>
    ctx.emit({ type: "thing.happened", payload: { n } }),
  );
}

/** Resolves when the database answers again, through the same pools. */
async function untilItAnswers(): Promise<void> {
  await expect.poll(() => emit(0).then(() => "saved", String)).toBe("saved");
}

async function savedEvents(): Promise<number> {
  const rows = await db.systemRaw<{ n: number }>({ name: "n", text: "select count(*) as n from event_log" }, []);
  return rows[0]?.n ?? 0;
}

test("it is durable, small, and reachable through its socket only", async () => {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query(`select name, setting from pg_settings
    where name in ('fsync', 'synchronous_commit', 'listen_addresses', 'jit', 'wal_level') order by name`);
  expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
    fsync: "on",
    synchronous_commit: "on",
    listen_addresses: process.platform === "win32" ? "127.0.0.1" : "",
    jit: "off",
    wal_level: "replica",
  });
});

test("a server that is already there is adopted", async () => {
  const pid = await serverPid();
  const neighbour = await startEmbedded({ dataDir, log: testLog });
  await neighbour.stop({ keepRunning: true });
  expect(neighbour.url).toBe(server.url);
  expect(await serverPid()).toBe(pid);
  await emit(1);
});

test("after kill -9 of the server it comes back, nothing committed is lost, and cursors of before are refused", async () => {
  const resets: string[] = [];
  const tail = createTail({
    db,
    log: testLog,
    onEvents: () => undefined,
    onReset: (cursor) => void resets.push(cursor),
  });
  await tail.start();
  onTestFinished(() => tail.stop());
  await emit(1);
  await tail.catchUp();
  const [saved, cursor, pid] = [await savedEvents(), tail.cursor() ?? "", await serverPid()];

  process.kill(pid, "SIGKILL");
  // Its children may answer for a moment longer.
  await expect.poll(async () => ![0, pid].includes(await serverPid())).toBe(true);
  await untilItAnswers();
  expect(await savedEvents()).toBeGreaterThan(saved);
  expect((await eventsSince(db, cursor)).kind).toBe("refetch");
  await expect.poll(() => tail.catchUp().then(() => resets.length)).toBe(1);
});

test("after a crash that the server survives, cursors of before are refused too", async () => {
  const { cursor } = await eventsSince(db, "");
  expect((await eventsSince(db, cursor)).kind).toBe("events");
  const [backend] = await db.systemRaw<{ pid: number }>({ name: "pid", text: "select pg_backend_pid() as pid" }, []);
  const pid = await serverPid();
  process.kill(backend?.pid ?? 0, "SIGKILL");
  const kind = () => eventsSince(db, cursor).then((missed) => missed.kind, String);
  await expect.poll(kind).toBe("refetch");
  expect(await serverPid()).toBe(pid);
});

test("stopping does not wait for a server that cannot start", async () => {
  const other = await mkdtemp(path.join(tmpdir(), "prosa-broken-"));
  onTestFinished(() => rm(other, { recursive: true, force: true }));
  const broken = await startEmbedded({ dataDir: other, log: testLog });
  const pidFile = path.join(other, "postgres", "postmaster.pid");
  const pid = Number((await readFile(pidFile, "utf8")).split("\n")[0]);
  await rename(path.join(other, "postgres", "global"), path.join(other, "postgres", "elsewhere"));
  process.kill(pid, "SIGKILL");
  // It has noticed, and tries.
  const startLog = path.join(other, "postgres-start.log");
  await expect.poll(() => readFile(startLog, "utf8")).toContain("could not");

  const stopped = broken.stop().then(() => "stopped");
  expect(await Promise.race([stopped, sleep(15_000, "waits", { ref: false })])).toBe("stopped");
});

test("a start is not held up by a process number that another program has since, nor by a full disk", async () => {
  const other = await mkdtemp(path.join(tmpdir(), "prosa-pid-"));
  onTestFinished(() => rm(other, { recursive: true, force: true }));
  const first = await startEmbedded({ dataDir: other, log: testLog });
  const [pidFile, settings] = ["postmaster.pid", "prosa.conf"].map((name) => path.join(other, "postgres", name));
  const [, ...lines] = (await readFile(pidFile!, "utf8")).split("\n");
  await first.stop();
  // After a reboot; of the user of the server, which would not start beside it.
  const stranger = spawn("sleep", ["600"], process.getuid?.() === 0 ? { uid: NOBODY_UID, cwd: "/" } : {});
  onTestFinished(() => void stranger.kill());
  await writeFile(pidFile!, [stranger.pid, ...lines].join("\n"));
  const began = performance.now();
  const next = await startEmbedded({ dataDir: other, log: testLog });
  await next.stop();
  expect(next.wasRunning).toBe(false);

  await rm(settings!);
  await symlink("/dev/full", settings!);
  await expect(startEmbedded({ dataDir: other, log: testLog })).rejects.toThrow(/DATA_DIR: .*ENOSPC/u);
  expect(performance.now() - began).toBeLessThan(30_000);
});

test("the server outlives a killed process, and the next one adopts it", async () => {
  const other = await mkdtemp(path.join(tmpdir(), "prosa-killed-"));
  onTestFinished(() => rm(other, { recursive: true, force: true }));
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "started-server.fixture.ts"), other]);
  const [url] = (await once(child.stdout, "data")) as [Buffer];
  const client = new pg.Client({ connectionString: String(url) });
  await client.connect();
  await client.query("create table kept as select 7 as n");
  child.kill("SIGKILL");
  await once(child, "exit");

  const next = await startEmbedded({ dataDir: other, log: testLog });
  onTestFinished(() => next.stop());
  expect(next.url).toBe(String(url));
  expect((await client.query("select n from kept")).rows).toEqual([{ n: 7 }]);
  await client.end();
});

test.runIf(process.getuid?.() === 0)("root does not take the files of the service's user", async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "prosa-embedded-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = path.join(parent, "postgres");
  await mkdir(folder, { mode: 0o700 });
  await writeFile(path.join(folder, "PG_VERSION"), "18\n");
  await chown(folder, 1_234, 1_234);
  await expect(startEmbedded({ dataDir: parent, log: testLog })).rejects.toThrow("belongs to the user 1234");
  expect((await stat(folder)).uid).toBe(1_234);
});

/** As root, where the checkout is open to every user. */
const canRunAsNobody =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["--check", import.meta.filename], { uid: NOBODY_UID, cwd: "/" }).status === 0;

test.runIf(canRunAsNobody)("after a start as root, one as oneself is refused with the owner's name", async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "prosa-embedded-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  await chmod(parent, 0o711);
  const fixture = path.join(import.meta.dirname, "started-server.fixture.ts");
  const child = spawn(process.execPath, [fixture, parent], { uid: NOBODY_UID, cwd: "/" });
  const said = child.stderr.setEncoding("utf8").toArray();
  await once(child, "exit");
  expect((await said).join("")).toMatch(
    /ConfigError: DATA_DIR: the embedded database cannot be started: EACCES.* belongs to the user 0: run this as that user/u,
  );
});

test("a data folder of another major version is refused at once, with the command that carries it over (E-03)", async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "prosa-embedded-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  await mkdir(path.join(parent, "postgres"), { mode: 0o700 });
  await writeFile(path.join(parent, "postgres", "PG_VERSION"), "17\n");
  const began = performance.now();
  await expect(startEmbedded({ dataDir: parent, log: testLog })).rejects.toThrow(
    /made by PostgreSQL 17, and this release brings PostgreSQL 18\..*npm run upgrade-database/u,
  );
  expect(performance.now() - began).toBeLessThan(10_000);
});
