import { spawn } from "node:child_process";
import { join } from "node:path";
import "../launcher/follow-npm.mjs";
import { root, toolPath } from "../support/paths.ts";

/** Runs the server and Vite side by side, each reloading on change; the first to end takes the other with it. */
export async function run(args: readonly string[]): Promise<void> {
  const port = process.env.PORT ?? "8080";
  const watchServer = ["--watch", "--watch-preserve-output", "server/src/main.ts", ...args];
  const env = { ...process.env, PORT: port };

  const children = [
    spawn(process.execPath, watchServer, { cwd: root, stdio: "inherit", env }),
    spawn(process.execPath, [toolPath("vite/bin/vite.js")], { cwd: join(root, "web"), stdio: "inherit", env }),
  ];
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => children.forEach((child) => child.kill("SIGTERM")));
  }

  const exits = children.map(
    (child) => new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 0))),
  );
  process.exitCode = await Promise.race(exits);
  children.forEach((child) => child.kill("SIGTERM"));
  await Promise.all(exits);
}
