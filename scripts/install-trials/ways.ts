/** Each way of docs/operations.md, from a bare Debian to the first chat. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "../launcher/error.mjs";
import { root } from "../support/paths.ts";
import { newMachine, succeed, timed } from "./machine.ts";
import type { Machine } from "./machine.ts";

/** Free on the machine whose network the trial of npm shares. */
const PORT = "18080";
export const operator = ["--email", "operadora@example.com", "--password", "uma senha longa"];
const codePattern = /with the code ([\dA-Z-]+)/u;
const readyPattern = /Prosa is ready/u;

export const aptInstall =
  "apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends";

/** Debian's own Node and npm, a clone and `npm start`, as an ordinary user and as root; then again after a power cut. */
export async function npm(): Promise<void> {
  const users = ["ana", "root"];
  const machine = await withSource("npm", users);
  for (const user of users) {
    const start = `cd prosa; PORT=${PORT} npm start`;
    const running = machine.start(user, start);
    await timed(`the first npm start, as ${user}`, () => running.printed(readyPattern));
    await machine.firstChat(`http://localhost:${PORT}`);
    await running.kill();
    const again = machine.start(user, start);
    await timed(`npm start after a power cut, as ${user}`, () => again.printed(readyPattern));
    await machine.firstChat(`http://localhost:${PORT}`);
    await again.kill();
  }
}

/** What somebody runs first who wants to change something: some unit tests and a journey, whose browser root installs by the way. */
export async function newcomer(): Promise<void> {
  const machine = await withSource("newcomer", ["ana", "root"]);
  const test = (user: string, words: string) => machine.run(user, `cd prosa; npm test -- ${words} 2>&1`);
  await timed("npm test -- unit contract, as ana", () => test("ana", "unit contract"));
  const refused = await timed("npm test -- e2e sign-in, as ana, who may install nothing", () =>
    machine.run("ana", "cd prosa; npm test -- e2e sign-in 2>&1 || true"),
  );
  if (!refused.includes("apt-get install chromium")) {
    throw new LaunchError(`Nobody is told how Chromium comes:\n${refused.slice(-2000)}`);
  }
  await timed("npm test -- unit contract, as root", () => test("root", "unit contract"));
  await timed("npm test -- e2e sign-in, as root, with the installation of Chromium", () => test("root", "e2e sign-in"));
  await timed("npm test -- e2e sign-in, as ana, with Chromium", () => test("ana", "e2e sign-in"));
}

/** A machine with Debian's own Node, npm and git, and a clone in the home of each user. */
async function withSource(name: string, users: readonly string[]): Promise<Machine> {
  const machine = await newMachine(name, { network: true });
  await timed("nodejs, npm and git from Debian", () =>
    machine.run("root", `${aptInstall} nodejs npm git > /dev/null 2>&1`),
  );
  await succeed("git", ["clone", "-q", "--bare", root, join(machine.root, "srv/prosa.git")]);
  for (const user of users) {
    // git reads nobody else's repositories
    await succeed("chroot", [machine.root, "chown", "-R", `${user}:`, "/srv/prosa.git"]);
    await machine.run(user, "git clone -q file:///srv/prosa.git prosa");
  }
  return machine;
}

/** The archive of `npm run bundle` on a machine without a network, without Node and without npm. */
export async function bundle(): Promise<void> {
  const machine = await newMachine("bundle", { network: false });
  await succeed("cp", [bundleFile(), join(machine.root, "home/ana/prosa.tar.gz")]);
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

/** The archive of `npm run bundle`. */
export function bundleFile(): string {
  const folder = join(root, "dist");
  const name = existsSync(folder) ? readdirSync(folder).find((file) => /^prosa-.*\.tar\.gz$/u.test(file)) : undefined;
  if (name === undefined) {
    throw new LaunchError("There is no bundle: npm run bundle");
  }
  return join(folder, name);
}
