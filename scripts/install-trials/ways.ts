/** Each way of docs/operations.md, from a bare Debian to the first chat. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "../launcher/error.mjs";
import { root } from "../support/paths.ts";
import { newMachine, succeed, timed } from "./machine.ts";

/** Free on the machine whose network the trial of npm shares. */
const PORT = "18080";
const operator = ["--email", "operadora@example.com", "--password", "uma senha longa"];
const codePattern = /with the code ([\dA-Z-]+)/u;
const readyPattern = /Prosa is ready/u;

/** Debian's own Node and npm, a clone as an ordinary user, `npm start`; then again after a power cut. */
export async function npm(): Promise<void> {
  const machine = await newMachine("npm", { network: true });
  const wanted = "apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends";
  await timed("nodejs, npm and git from Debian", () =>
    machine.run("root", `${wanted} nodejs npm git > /dev/null 2>&1`),
  );
  await succeed("git", ["clone", "-q", "--bare", root, join(machine.root, "home/ana/prosa.git")]);
  await succeed("chroot", [machine.root, "chown", "-R", "ana:", "/home/ana"]);

  const start = `cd prosa; PORT=${PORT} npm start`;
  const running = machine.start("ana", `git clone -q prosa.git prosa; ${start}`);
  await timed("git clone and the first npm start", () => running.printed(readyPattern));
  await machine.firstChat(`http://localhost:${PORT}`);
  await running.kill();
  const again = machine.start("ana", start);
  await timed("npm start after a power cut", () => again.printed(readyPattern));
  await machine.firstChat(`http://localhost:${PORT}`);
  await again.kill();
}

/** The archive of `npm run bundle` on a machine without a network, without Node and without npm. */
export async function bundle(): Promise<void> {
  const machine = await newMachine("bundle", { network: false });
  const name = readdirSync(join(root, "dist")).find((file) => /^prosa-.*\.tar\.gz$/u.test(file));
  if (name === undefined) {
    throw new LaunchError("There is no bundle: npm run bundle");
  }
  await succeed("cp", [join(root, "dist", name), join(machine.root, "home/ana/prosa.tar.gz")]);
  await timed("unpacked", () => machine.run("ana", "mkdir prosa; tar -xzf prosa.tar.gz -C prosa --strip-components=1"));
  const running = machine.start("ana", "exec prosa/bin/prosa");
  const code = await timed("the first start in production", () => running.printed(codePattern));
  await machine.firstChat("http://localhost:8080", "--code", code, ...operator, "--sign-in-only");
  await running.kill();
  // Production has no simulator, so the chat itself is outside it, on the same data.
  const again = machine.start("ana", "NODE_ENV=development exec prosa/bin/prosa");
  await timed("the start after a power cut", () => again.printed(readyPattern));
  await machine.firstChat("http://localhost:8080", ...operator);
  await again.kill();
}
