/** How does one process become, or wait for, another? */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Ctrl-C in a terminal reaches the child by itself, and a second one would tell it to stop the hard way.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function passOn(child, signal) {
  if (signal !== "SIGINT" || !process.stdin.isTTY) {
    child.kill(signal);
  }
}

/**
 * Ends this process in favour of another program. Where the system can, the new program takes over this very process,
 * so that signals reach it directly; elsewhere this process stays behind, passes signals on and leaves with the same
 * exit code. Never returns.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<never>}
 */
export async function replaceProcess(file, args, env = process.env) {
  if (typeof process.execve === "function" && process.platform !== "win32") {
    process.execve(file, [file, ...args], env);
  }

  const child = spawn(file, args, { stdio: "inherit", env });
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP", "SIGINT"])) {
    process.on(signal, () => passOn(child, signal));
  }

  const [code, signal] = await once(child, "exit");
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    await pause(1_000); // the signal arrives on the next turn of the loop
  }
  process.exit(code ?? 1);
}
