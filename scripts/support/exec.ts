import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { passOn } from "../launcher/process.mjs";
import { root } from "./paths.ts";

export interface Outcome {
  readonly ok: boolean;
  /** What the program wrote, errors included, in the order of writing; empty when it was shown. */
  readonly output: string;
  readonly seconds: number;
}

export interface ExecOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Let the program write to the terminal instead of collecting its output. */
  readonly show?: boolean;
}

const running = new Set<ChildProcess>();
let isEnding = false;

/** Passes the signal to every program that runs, waits for their ends, and lets no other begin. */
export async function endPrograms(signal: NodeJS.Signals): Promise<void> {
  isEnding = true;
  await Promise.all(
    Array.from(running, (child) => {
      const ended = once(child, "close");
      passOn(child, signal);
      return ended;
    }),
  );
}

/** Runs a program to its end. A program that fails, or cannot be started, is an outcome and not an exception. */
export function exec(file: string, args: readonly string[], options: ExecOptions = {}): Promise<Outcome> {
  const { cwd = root, env = process.env, show = false } = options;
  const startedAt = performance.now();

  return new Promise((resolve) => {
    if (isEnding) {
      return;
    }
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
    });
    running.add(child);
    let output = "";
    const finish = (ok: boolean) => {
      running.delete(child);
      if (!isEnding) {
        resolve({ ok, output, seconds: (performance.now() - startedAt) / 1000 });
      }
    };

    child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("error", (error) => {
      output += `${file}: ${error.message}\n`;
      finish(false);
    });
    child.once("close", (code) => finish(code === 0));
  });
}

/** Runs a program of the project or of a package with this same Node. */
export function execNode(script: string, args: readonly string[] = [], options: ExecOptions = {}): Promise<Outcome> {
  return exec(process.execPath, [script, ...args], options);
}

/** Runs at most `limit` of the tasks at a time and returns their results in the order of the tasks. */
export async function inTurns<T>(limit: number, tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const waiting = tasks.entries();
  const worker = async () => {
    for (const [index, task] of waiting) {
      results[index] = await task();
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
