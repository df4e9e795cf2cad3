/** How does a journey start, kill and restart the built product? */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WaSimClient } from "@prosa/wa-sim/client";
import { setTimeout as sleep } from "node:timers/promises";
import { skipSync } from "../../server/src/testing/skip-sync.ts";

const main = join(import.meta.dirname, "../../server/src/main.ts");
/** The first start creates and seeds a database, which took 60 seconds on a busy machine. */
const START_WITHIN_MS = 180_000;
const STOP_WITHIN_MS = 20_000;

/** The whole product in a process of its own, on an empty data folder and a free port. */
export interface Product {
  readonly url: string;
  /** Its data folder. */
  readonly dataDir: string;
  /** The control API of its simulated WhatsApp, for what no screen offers. */
  network(): Promise<WaSimClient>;
  /** Address of its database, for amounts of data that calls would take minutes to make. */
  databaseUrl(): Promise<string>;
  /** Its output since the last start: address and sign-ins. */
  printed(): string;
  /** Stops it gracefully (SIGTERM). */
  stop(): Promise<void>;
  /** Kills it like a power cut: kill -9, no cleanup. */
  kill(): Promise<void>;
  /** Starts it again on the same data folder and port. */
  start(): Promise<void>;
  /** Stops it with all its child processes, and removes its data. */
  remove(): Promise<void>;
}

export async function startProduct(env: Readonly<Record<string, string>> = {}): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), "prosa-e2e-"));
  const dataDir = join(folder, "data");
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let running: ChildProcess | undefined;
  let printed = "";

  async function start(): Promise<void> {
    printed = "";
    const child = spawn(process.execPath, [main], {
      env: {
        PATH: process.env["PATH"],
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        HOME: folder,
        DATA_DIR: dataDir,
        PORT: String(port),
        LOG_LEVEL: "warn",
        DEMO_PEOPLE: "off",
        ...env,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
    running = child;
    await untilReady(url, child, () => printed);
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = running;
    running = undefined;
    if (!child || child.exitCode !== null) {
      return;
    }
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await Promise.race([ended, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
    child.kill("SIGKILL");
  }

  const product: Product = {
    url,
    dataDir,
    async network() {
      const { controlUrl, token } = JSON.parse(await readFile(join(dataDir, "simulator/address.json"), "utf8")) as {
        readonly controlUrl: string;
        readonly token: string;
      };
      return new WaSimClient(controlUrl, token);
    },
    async databaseUrl() {
      const lines = (await readFile(join(dataDir, "postgres/postgres/postmaster.pid"), "utf8")).split("\n");
      return `postgresql://postgres@localhost/prosa?${new URLSearchParams({ port: lines[3]!, host: lines[4]! })}`;
    },
    printed: () => printed,
    start,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    async remove() {
      await end("SIGTERM");
      await killLeftovers(dataDir);
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await start();
    await skipSync(await product.databaseUrl());
  } catch (error) {
    await product.remove();
    throw error;
  }
  return product;
}

async function untilReady(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  const until = Date.now() + START_WITHIN_MS;
  while (Date.now() < until) {
    if (child.exitCode !== null) {
      throw new Error(`The product ended with ${child.exitCode} while it started:\n${printed()}`);
    }
    const isReady = await fetch(`${url}/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) {
      return;
    }
    await sleep(100);
  }
  throw new Error(`The product did not get ready:\n${printed()}`);
}

/** Database and simulated network survive a kill of the server by design; a journey must not leave them running. */
async function killLeftovers(dataDir: string): Promise<void> {
  const database = await readFile(join(dataDir, "postgres/postgres/postmaster.pid"), "utf8").catch(() => "");
  const network = await readFile(join(dataDir, "simulator/address.json"), "utf8").catch(() => "{}");
  const pids = [Number(database.split("\n", 1)[0]), Number((JSON.parse(network) as { pid?: number }).pid)];
  for (const pid of pids.filter((one) => one > 1)) {
    try {
      process.kill(pid, "SIGTERM");
    } catch {
      // It stopped with the server, as after a clean stop.
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
