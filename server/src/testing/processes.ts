import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { WaSimClient } from "@prosa/wa-sim/client";

/** A program of ours in a process of its own, as in production: it can be killed. */
export interface SpawnedProcess {
  readonly pid: number;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGTERM: it finishes what it does. */
  stop(): Promise<void>;
}

export interface ServerProcess extends SpawnedProcess {
  readonly url: string;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const READY_WITHIN_MS = 60_000;

/** Starts the product; resolves when it says that it is ready, rejects with its last words when it ends before. */
export async function startServerProcess(
  env: Readonly<Record<string, string>>,
  options: { readonly logFile?: string; readonly nodeArgs?: readonly string[] } = {},
): Promise<ServerProcess> {
  const script = join(root, "server/src/main.ts");
  const started = start(script, [], { HOST: "127.0.0.1", PORT: "0", DEMO: "off", LOG_LEVEL: "warn", ...env }, options);
  const [, url = ""] = await started.waitForOutput(/Prosa is ready: ([^\s"]+)/);
  return { ...started.process, url: url.replace("localhost", "127.0.0.1") };
}

export interface SimProcess extends SpawnedProcess {
  readonly client: WaSimClient;
  readonly wsUrl: string;
  /** For NODE_EXTRA_CA_CERTS. */
  readonly caFile: string;
}

const readyLine = z.object({ controlUrl: z.string(), wsUrl: z.string(), caFile: z.string() });

/** Starts the local WhatsApp server, with its state in this file. */
export async function startSimProcess(stateFile: string): Promise<SimProcess> {
  const token = randomUUID();
  const script = join(root, "wa-sim/src/main.ts");
  const started = start(script, ["--state", stateFile, "--log-level", "fatal"], { WA_SIM_TOKEN: token });
  const [line] = await started.waitForOutput(/^\{.*\}$/m);
  const { controlUrl, wsUrl, caFile } = readyLine.parse(JSON.parse(line));
  return { ...started.process, client: new WaSimClient(controlUrl, token), wsUrl, caFile };
}

interface Started {
  readonly process: SpawnedProcess;
  waitForOutput(words: RegExp): Promise<RegExpExecArray>;
}

function start(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { logFile, nodeArgs = [] }: { readonly logFile?: string; readonly nodeArgs?: readonly string[] } = {},
): Started {
  const kept = { PATH: process.env["PATH"], HOME: process.env["HOME"], NODE_COMPILE_CACHE: join(root, ".cache/node") };
  const child = spawn(process.execPath, [...nodeArgs, script, ...args], {
    env: { ...kept, ...env },
    stdio: ["ignore", "pipe", logFile === undefined ? "pipe" : openLog(logFile)],
  });
  // Whoever started it may crash: left alone it would go on, and spoil the next run on the same database.
  const killIt = () => child.kill("SIGKILL");
  process.once("exit", killIt);
  const ended = once(child, "exit").then(() => void process.off("exit", killIt));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    process: { pid: child.pid ?? 0, ended, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") },
    waitForOutput: (words) => untilSaid(child, ended, words),
  };
}

function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  return openSync(file, "a");
}

async function untilSaid(child: ChildProcess, ended: Promise<void>, words: RegExp): Promise<RegExpExecArray> {
  let output = "";
  const said = new Promise<RegExpExecArray>((resolve) => {
    const listen = (chunk: Buffer) => {
      // Later words are read and thrown away: a full pipe would stop the process.
      output = (output + chunk.toString()).slice(-20_000);
      const found = words.exec(output);
      if (found) {
        resolve(found);
      }
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
  });
  const timer = new AbortController();
  const late = new Promise<undefined>((resolve) => {
    const timeout = setTimeout(resolve, READY_WITHIN_MS, undefined);
    timer.signal.addEventListener("abort", () => clearTimeout(timeout));
  });
  const found = await Promise.race([said, ended.then(() => undefined), late]);
  timer.abort();
  if (!found) {
    child.kill("SIGKILL");
    throw new Error(`The process did not come up:\n${output}`);
  }
  return found;
}
