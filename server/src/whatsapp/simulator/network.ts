import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";
import type { Logger } from "pino";
import { z } from "zod";
import { isKnownDead, processName } from "#server/platform/processes/index.ts";

/** Where the simulator's network is, as every process on this data folder reads it. */
const address = z.object({
  controlUrl: z.string(),
  wsUrl: z.string(),
  mediaOrigin: z.string(),
  caFile: z.string(),
  rootPublicKey: z.string(),
  token: z.string(),
  pid: z.number().int(),
  /** The process that ends the network when it stops itself. */
  keeper: z.string().default(""),
});
export type SimulatorAddress = z.output<typeof address>;

const MAIN = fileURLToPath(import.meta.resolve("@prosa/wa-sim/main"));
const START_WITHIN_MS = 20_000;
/** One that was started by another process stays a zombie where nobody reaps it. */
const END_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 3_000;
const ANSWER_WITHIN_MS = 2_000;

export interface SimulatorNetwork {
  /** Resolves when the network answers; starts it where nobody has. */
  address(): Promise<SimulatorAddress>;
  /** Ends the network if this process keeps it. */
  stop(): Promise<void>;
}

function folderOf(dataDir: string): string {
  return path.join(dataDir, "simulator");
}

/** For a process that only talks to the network: its address, if one is known. */
export async function readSimulatorAddress(dataDir: string): Promise<SimulatorAddress | null> {
  try {
    return address.parse(JSON.parse(await readFile(path.join(folderOf(dataDir), "address.json"), "utf8")));
  } catch {
    // Not there yet, or half a file of a process that died: both mean that there is no network.
    return null;
  }
}

/**
 * Keeps the simulator's network alive as a process of its own: it outlives a kill of ours, as WhatsApp would. Of
 * several processes on one data folder the first starts it and the others use it; whoever notices its end starts it
 * again, with everything that it knew. Who finds one whose keeper was killed keeps it from then on.
 */
export function keepSimulator({ dataDir, log }: { dataDir: string; log: Logger }): SimulatorNetwork {
  const folder = folderOf(dataDir);
  const self = processName();
  let current: Promise<SimulatorAddress> | undefined;
  let isAsked = false;
  let isStopped = false;

  async function find(): Promise<SimulatorAddress> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const until = Date.now() + START_WITHIN_MS;
    while (!isStopped && Date.now() < until) {
      const known = await readSimulatorAddress(dataDir);
      if (known && (await answers(known))) {
        return isKnownDead(known.keeper) ? keep({ ...known, keeper: self }) : known;
      }
      if (await lock(folder)) {
        try {
          return await launch();
        } finally {
          await rm(path.join(folder, "starting"), { force: true });
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("The simulator's network did not start");
  }

  async function launch(): Promise<SimulatorAddress> {
    const token = randomBytes(24).toString("base64url");
    const started = spawn(process.execPath, [MAIN, "--state", path.join(folder, "state"), "--auto-create-persons"], {
      env: { ...process.env, WA_SIM_TOKEN: token },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const line = await firstLine(started);
    started.once("exit", () => (current = undefined));
    started.unref();
    return keep(address.parse({ ...(JSON.parse(line) as object), token, pid: started.pid, keeper: self }));
  }

  async function keep(found: SimulatorAddress): Promise<SimulatorAddress> {
    const file = path.join(folder, "address.json");
    await writeFile(`${file}.new`, JSON.stringify(found), { mode: 0o600 });
    await rename(`${file}.new`, file);
    return found;
  }

  async function look(): Promise<void> {
    if (!isAsked || isStopped) {
      return;
    }
    const known = await current?.catch(() => null);
    if (known && (await answers(known))) {
      return;
    }
    log.warn("the simulator's network is gone; it is started again");
    current = find();
    await current.catch((error: unknown) => log.error({ err: error }, "the simulator's network cannot be started"));
  }
  let looking: Promise<void> | undefined;
  const watch = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined));
  }, LOOK_EVERY_MS).unref();

  return {
    address() {
      isAsked = true;
      return (current ??= find());
    },
    async stop() {
      isStopped = true;
      clearInterval(watch);
      await looking;
      await current?.catch(() => undefined);
      const known = await readSimulatorAddress(dataDir);
      if (known?.keeper === self && (await answers(known))) {
        process.kill(known.pid, "SIGTERM");
        const until = Date.now() + END_WITHIN_MS;
        while (isAlive(known.pid) && Date.now() < until) {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    },
  };
}

async function answers({ controlUrl, token }: SimulatorAddress): Promise<boolean> {
  try {
    const answer = await fetch(`${controlUrl}/addresses`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{}",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return answer.ok;
  } catch {
    return false;
  }
}

/** One process starts the network; a lock whose holder is dead counts for nothing. */
async function lock(folder: string): Promise<boolean> {
  const file = path.join(folder, "starting");
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch {
    const holder = Number(await readFile(file, "utf8").catch(() => ""));
    if (holder > 0 && !isAlive(holder)) {
      await rm(file, { force: true });
    }
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function firstLine(started: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => started.kill("SIGKILL"), START_WITHIN_MS);
    started.once("error", reject);
    started.once("exit", (code) => reject(new Error(`The simulator's network ended with ${code}`)));
    started.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const end = text.indexOf("\n");
      if (end >= 0) {
        clearTimeout(timer);
        resolve(text.slice(0, end));
      }
    });
  });
}
