import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSimulatorNetwork, readSimulatorAddress } from "./network.ts";
import type { SimulatorNetwork } from "./network.ts";

const log = pino({ level: "silent" });
let dataDir: string;
let keepers: SimulatorNetwork[];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "prosa-simulator-"));
  keepers = [];
});

afterEach(async () => {
  await Promise.all(keepers.map((keeper) => keeper.stop()));
  await rm(dataDir, { recursive: true });
});

function aProcess(): SimulatorNetwork {
  const keeper = createSimulatorNetwork({ dataDir, log });
  keepers.push(keeper);
  return keeper;
}

test("of several processes on one data folder one starts the network, the others use it (W-07)", async () => {
  const found = await Promise.all([aProcess(), aProcess(), aProcess()].map((keeper) => keeper.address()));
  expect(new Set(found.map(({ pid }) => pid)).size).toBe(1);
  expect(await readSimulatorAddress(dataDir)).toEqual(found[0]);
});

test("a network that was killed is started again, at the same address (W-07)", async () => {
  const keeper = aProcess();
  const before = await keeper.address();
  process.kill(before.pid, "SIGKILL");

  await expect.poll(async () => (await readSimulatorAddress(dataDir))?.pid).not.toBe(before.pid);
  const after = await keeper.address();
  expect({ wsUrl: after.wsUrl, media: after.mediaOrigin }).toEqual({ wsUrl: before.wsUrl, media: before.mediaOrigin });
});

test("a network whose keeper was killed is stopped by the process that found it (W-07)", async () => {
  const { pid } = await aProcess().address();
  const file = path.join(dataDir, "simulator", "address.json");
  const found = JSON.parse(await readFile(file, "utf8")) as { readonly keeper: string };
  const [place] = found.keeper.split(":");
  // no process has this pid: it is beyond the largest
  await writeFile(file, JSON.stringify({ ...found, keeper: `${place}:9999999:dead` }));

  const next = aProcess();
  expect((await next.address()).pid).toBe(pid);
  await next.stop();
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

// Of this process and of one that is gone: a container's successor may have the pid of the one that was killed.
test.each(["", String(process.pid), "elsewhere:1:dead"])(
  "a start lock “%s” that a killed process left does not keep the network from starting (W-07)",
  async (holder) => {
    const lock = path.join(dataDir, "simulator", "starting");
    await mkdir(path.dirname(lock));
    await writeFile(lock, holder);
    const long = new Date(Date.now() - 60_000);
    await utimes(lock, long, long);
    expect((await aProcess().address()).pid).toBeGreaterThan(0);
  },
);

test("no address is found where no network was started", async () => {
  expect(await readSimulatorAddress(dataDir)).toBeNull();
});
