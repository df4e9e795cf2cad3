/** A bare Debian in a folder of its own, entered with systemd-nspawn: nothing of this machine is in it but its kernel. */
import { once } from "node:events";
import { spawn, type ChildProcess } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "../launcher/error.mjs";
import { exec } from "../support/exec.ts";

/** Where machines lie: some 350 MB each, and 2 GB with the packages of Prosa. */
const folder = process.env["INSTALL_TRIALS"] ?? "/var/tmp/install-trials";
const release = "bookworm";
const firstChat = join(import.meta.dirname, "first-chat.ts");

export interface Machine {
  readonly root: string;
  /** Runs a shell script to its end as this user, and returns what it wrote; throws a LaunchError where it fails. */
  run(user: string, script: string): Promise<string>;
  /** Starts a shell script that stays. */
  start(user: string, script: string): Running;
  /** The first chat, spoken from the machine's network. */
  firstChat(...args: string[]): Promise<void>;
}

export interface Running {
  /** Waits until the output has it, and returns the first group of it. */
  printed(pattern: RegExp): Promise<string>;
  /** Kills it as a power cut does. */
  kill(): Promise<void>;
}

/** A new machine; `network: false` gives it a network of its own that leads nowhere. */
export async function newMachine(name: string, options: { readonly network: boolean }): Promise<Machine> {
  if (process.getuid?.() !== 0) {
    throw new LaunchError("A trial makes machines, so it needs root.");
  }
  const base = join(folder, "base");
  if (!existsSync(join(base, "usr"))) {
    mkdirSync(folder, { recursive: true });
    const wanted = ["--variant=minbase", "--include=ca-certificates", release, base];
    await succeed("debootstrap", wanted);
  }
  const root = join(folder, name);
  rmSync(root, { recursive: true, force: true });
  await succeed("cp", ["-a", base, root]);
  // A machine behind a proxy that has a certificate of its own.
  const certificates = process.env["NODE_EXTRA_CA_CERTS"];
  if (certificates !== undefined) {
    copyFileSync(certificates, join(root, "etc/trial-certificates.pem"));
  }
  if (!options.network) {
    await exec("ip", ["netns", "add", name]);
    await succeed("ip", ["-n", name, "link", "set", "lo", "up"]);
  }
  await succeed("chroot", [root, "useradd", "--create-home", "--shell", "/bin/bash", "ana"]);

  const common = [
    ...["-q", "-D", root, "--register=no", "--keep-unit"],
    ...(options.network ? ["--resolv-conf=replace-host"] : [`--network-namespace-path=/run/netns/${name}`]),
  ];
  const asUser = (user: string, script: string) => [
    ...common,
    ...[
      "--as-pid2",
      "--console=pipe",
      `--user=${user}`,
      `--setenv=HOME=${user === "root" ? "/root" : `/home/${user}`}`,
    ],
    ...(certificates === undefined ? [] : ["--setenv=NODE_EXTRA_CA_CERTS=/etc/trial-certificates.pem"]),
    ...["/bin/bash", "-lc", `set -e; cd; ${script}`],
  ];
  const log = join(folder, `${name}.log`);
  rmSync(log, { force: true });
  return {
    root,
    run: (user, script) => succeed("systemd-nspawn", asUser(user, script)),
    start: (user, script) => started(spawn("systemd-nspawn", asUser(user, script), pipes), log),
    async firstChat(...args) {
      const enter = options.network ? [] : ["ip", "netns", "exec", name];
      const [program, ...rest] = [...enter, process.execPath, firstChat, ...args];
      const { ok } = await exec(program!, rest, { show: true });
      if (!ok) {
        throw new LaunchError(`The first chat failed; the machine's output is in ${log}.`);
      }
    },
  };
}

const pipes = { stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"] };

function started(child: ChildProcess, log: string): Running {
  let output = "";
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
    appendFileSync(log, chunk);
  };
  child.stdout!.on("data", collect);
  child.stderr!.on("data", collect);
  const ended = new Promise((resolve) => child.once("close", resolve));
  return {
    async printed(pattern) {
      for (;;) {
        const found = pattern.exec(output);
        if (found) {
          return found[1] ?? found[0];
        }
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new LaunchError(`It ended before it printed ${pattern.source}:\n${output.slice(-2000)}`);
        }
        await once(child.stdout!, "data", { signal: AbortSignal.timeout(1_000) }).catch(() => {});
      }
    },
    async kill() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

export async function succeed(program: string, args: readonly string[]): Promise<string> {
  const { ok, output } = await exec(program, args);
  if (!ok) {
    throw new LaunchError(`${program} ${args.slice(0, 3).join(" ")} … failed.\n${output.slice(-3000)}`);
  }
  return output;
}

/** Seconds that this takes, said on the terminal. */
export async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const at = performance.now();
  const result = await work();
  console.log(`${((performance.now() - at) / 1000).toFixed(1).padStart(6)} s  ${what}`);
  return result;
}
