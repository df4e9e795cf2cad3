import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";
import type { Logger } from "pino";
import { z } from "zod";
import { setCoalescedInterval } from "#server/platform/clock/index.ts";
import { postPublic } from "#server/platform/net/index.ts";
import { isKnownDead, processName } from "#server/platform/processes/index.ts";

/** The addresses of the simulator's network, in a file of the data folder that every process reads. */
const address = z.object({
  controlUrl: z.string(),
  wsUrl: z.string(),
  mediaOrigin: z.string(),
  caFile: z.string(),
  rootPublicKey: z.string(),
  token: z.string(),
  pid: z.number().int(),
  /** The process that stops the network when it stops itself. */
  keeper: z.string().default(""),
});
export type SimulatorAddress = z.output<typeof address>;

const MAIN = fileURLToPath(import.meta.resolve("@prosa/wa-sim/main"));
const START_TIMEOUT_MS = 20_000;
/** Whoever has created the start lock writes its name into it at once. */
const LOCK_WRITTEN_MS = 1_000;
/** A network that another process had started stays a zombie where no parent reaps it, so the wait is bounded. */
const STOP_TIMEOUT_MS = 5_000;
/** A dead process is noticed at the first check, one that lives without an answer at the tenth. */
const CHECK_EVERY_MS = 3_000;
const ASK_ANYWAY = 10;
const RESPONSE_TIMEOUT_MS = 2_000;

export interface SimulatorNetwork {
  /** Resolves when the network answers; starts it where it does not run. */
  address(): Promise<SimulatorAddress>;
  /** Stops the network if this process is its keeper. */
  stop(): Promise<void>;
}

function folderOf(dataDir: string): string {
  return path.join(dataDir, "simulator");
}

/** For a process that only calls the network: its address, or null where there is none. */
export async function readSimulatorAddress(dataDir: string): Promise<SimulatorAddress | null> {
  try {
    return address.parse(JSON.parse(await readFile(path.join(folderOf(dataDir), "address.json"), "utf8")));
  } catch {
    // No file yet, or half a file of a killed process: both mean that there is no network.
    return null;
  }
}

/**
 * Runs the simulator's network as a process of its own: it survives a kill of ours, as WhatsApp would. Of several
 * processes on one data folder the first starts it and the others use it; the first to notice that it ended starts it
 * again with its state. A process that finds it without a living keeper becomes its keeper.
 */
export function createSimulatorNetwork({ dataDir, log }: { dataDir: string; log: Logger }): SimulatorNetwork {
  const folder = folderOf(dataDir);
  const self = processName();
  let current: Promise<SimulatorAddress> | undefined;
  let isRequested = false;
  let isStopped = false;

  async function findOrLaunch(): Promise<SimulatorAddress> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const until = Date.now() + START_TIMEOUT_MS;
    while (!isStopped && Date.now() < until) {
      const known = await readSimulatorAddress(dataDir);
      if (known && (await isResponding(known))) {
        return isKnownDead(known.keeper) ? becomeKeeper({ ...known, keeper: self }) : known;
      }
      if (await takeStartLock(folder, self)) {
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
    return becomeKeeper(address.parse({ ...(JSON.parse(line) as object), token, pid: started.pid, keeper: self }));
  }

  async function becomeKeeper(found: SimulatorAddress): Promise<SimulatorAddress> {
    const file = path.join(folder, "address.json");
    await writeFile(`${file}.new`, JSON.stringify(found), { mode: 0o600 });
    await rename(`${file}.new`, file);
    return found;
  }

  async function checkNetwork(): Promise<void> {
    if (!isRequested || isStopped) {
      return;
    }
    const known = await current?.catch(() => null);
    checks += 1;
    if (known && ((checks % ASK_ANYWAY !== 0 && isAlive(known.pid)) || (await isResponding(known)))) {
      return;
    }
    log.warn("simulator network down; restarting it");
    current = findOrLaunch();
    await current.catch((error: unknown) => log.error({ err: error }, "simulator network not started"));
  }
  let checks = 0;
  let checking: Promise<void> | undefined;
  const endWatch = setCoalescedInterval(() => {
    checking ??= checkNetwork().finally(() => (checking = undefined));
  }, CHECK_EVERY_MS);

  return {
    address() {
      isRequested = true;
      return (current ??= findOrLaunch());
    },
    async stop() {
      isStopped = true;
      endWatch();
      await checking;
      await current?.catch(() => undefined);
      const known = await readSimulatorAddress(dataDir);
      if (known?.keeper === self && (await isResponding(known))) {
        process.kill(known.pid, "SIGTERM");
        const until = Date.now() + STOP_TIMEOUT_MS;
        while (isAlive(known.pid) && Date.now() < until) {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    },
  };
}

/** Not by `fetch`: one for a call now and then costs an idle process more than all else that it looks after. */
async function isResponding({ controlUrl, token }: SimulatorAddress): Promise<boolean> {
  try {
    const { status } = await postPublic(`${controlUrl}/addresses`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{}",
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      mayBePrivate: true,
      answerBytes: 10_000,
    });
    return status === 200;
  } catch {
    return false;
  }
}

/** Takes the start lock, so that one process starts the network; removes the lock of a dead holder. */
async function takeStartLock(folder: string, self: string): Promise<boolean> {
  const file = path.join(folder, "starting");
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(self);
    await handle.close();
    return true;
  } catch {
    if (await isStaleLock(file)) {
      await rm(file, { force: true });
    }
    return false;
  }
}

/**
 * A holder that was killed leaves its lock, perhaps empty; of another container nobody knows whether it lives. None needs it for
 * longer than the network may take to start.
 */
async function isStaleLock(file: string): Promise<boolean> {
  try {
    const [holder, { mtimeMs }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    return isKnownDead(holder) || Date.now() - mtimeMs > (holder === "" ? LOCK_WRITTEN_MS : START_TIMEOUT_MS);
  } catch {
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
    const timer = setTimeout(() => started.kill("SIGKILL"), START_TIMEOUT_MS);
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
