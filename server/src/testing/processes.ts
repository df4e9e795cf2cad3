import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { WaSimClient } from "@prosa/wa-sim/client";

/** A spawned Node process, as in production, which a test can kill. */
export interface SpawnedProcess {
  readonly pid: number;
  /** Resolves when the process has exited. */
  readonly ended: Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGTERM: graceful shutdown. */
  stop(): Promise<void>;
}

export interface ServerProcess extends SpawnedProcess {
  readonly url: string;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const READY_WITHIN_MS = 60_000;

/** Starts the product; resolves when it logs that it is ready, rejects with its output if it exits before. */
export async function startServerProcess(
  env: Readonly<Record<string, string>>,
  options: {
    readonly logFile?: string;
    readonly nodeArgs?: readonly string[];
    /** Checkout of another release. */
    readonly root?: string;
  } = {},
): Promise<ServerProcess> {
  const script = join(options.root ?? root, "server/src/main.ts");
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

/** Starts wa-sim with this state file. */
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
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
}

function start(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { logFile, nodeArgs = [] }: { readonly logFile?: string; readonly nodeArgs?: readonly string[] } = {},
): Started {
  const inherited = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    NODE_COMPILE_CACHE: join(root, ".cache/node"),
  };
  const child = spawn(process.execPath, [...nodeArgs, script, ...args], {
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", logFile === undefined ? "pipe" : openLog(logFile)],
  });
  // If the parent crashes the child must not keep running on the database of the next run.
  const killChild = () => child.kill("SIGKILL");
  process.once("exit", killChild);
  const ended = once(child, "exit").then(() => void process.off("exit", killChild));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    process: { pid: child.pid ?? 0, ended, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") },
    waitForOutput: (pattern) => untilSaid(child, ended, pattern),
  };
}

function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  return openSync(file, "a");
}

async function untilSaid(child: ChildProcess, ended: Promise<void>, pattern: RegExp): Promise<RegExpExecArray> {
  let output = "";
  const matched = new Promise<RegExpExecArray>((resolve) => {
    const listen = (chunk: Buffer) => {
      // Output after the match is still read: a full pipe would block the process.
      output = (output + chunk.toString()).slice(-20_000);
      const found = pattern.exec(output);
      if (found) {
        resolve(found);
      }
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
  });
  const timer = new AbortController();
  const timedOut = new Promise<undefined>((resolve) => {
    const timeout = setTimeout(resolve, READY_WITHIN_MS, undefined);
    timer.signal.addEventListener("abort", () => clearTimeout(timeout));
  });
  const found = await Promise.race([matched, ended.then(() => undefined), timedOut]);
  timer.abort();
  if (!found) {
    child.kill("SIGKILL");
    throw new Error(`The process did not start:\n${output}`);
  }
  return found;
}
