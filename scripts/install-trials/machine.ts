/** A bare Debian in a folder of its own, entered with systemd-nspawn: nothing of this machine is in it but its kernel. */
import { once } from "node:events";
import { spawn, type ChildProcess } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "../launcher/error.mjs";
import { exec } from "../support/exec.ts";

/** Where machines lie: some 350 MB each, and 2 GB with the packages of Prosa. */
const folder = process.env["INSTALL_TRIALS"] ?? "/var/tmp/install-trials";
const release = "bookworm";
export const certificates = process.env["NODE_EXTRA_CA_CERTS"];
export const CERTIFICATES = "etc/trial-certificates.pem";
const firstChat = join(import.meta.dirname, "first-chat.ts");

export interface Machine {
  readonly root: string;
  /** Runs a shell script to its end as this user, and returns what it wrote; throws a LaunchError where it fails. */
  run(user: string, script: string): Promise<string>;
  /** Starts a shell script that stays. */
  start(user: string, script: string): Running;
  /** Starts the machine's own systemd. */
  boot(): Running;
  /** Runs a shell script as root in the machine that was booted. */
  within(script: string): Promise<string>;
  /** The command before one that shall run in the machine's network. */
  readonly enter: readonly string[];
  /** The first chat, spoken from the machine's network. */
  firstChat(...args: string[]): Promise<void>;
}

export interface Running {
  readonly pid: number;
  /** Waits until the output has it, and returns the first group of it. */
  printed(pattern: RegExp): Promise<string>;
  /** Kills it as a power cut does. */
  kill(): Promise<void>;
}

/** A folder with a new bare Debian, beside the machines. */
export async function newRoot(name: string): Promise<string> {
  if (process.getuid?.() !== 0) {
    throw new LaunchError("A trial makes machines, so it needs root.");
  }
  const base = join(folder, "base");
  if (!existsSync(join(base, "usr"))) {
    const half = `${base}.half`;
    mkdirSync(folder, { recursive: true });
    rmSync(half, { recursive: true, force: true });
    await succeed("debootstrap", ["--variant=minbase", "--include=ca-certificates,netbase", release, half]);
    renameSync(half, base);
  }
  const root = join(folder, name);
  rmSync(root, { recursive: true, force: true });
  await succeed("cp", ["-a", base, root]);
  // A machine behind a proxy that has a certificate of its own.
  if (certificates !== undefined) {
    copyFileSync(certificates, join(root, CERTIFICATES));
  }
  return root;
}

interface MachineOptions {
  /** Without, it has a network of its own that leads nowhere. */
  readonly network: boolean;
  /** Once booted it has a network of its own, whatever it had to be installed: its ports are not this machine's. */
  readonly boots?: boolean;
}

/** A new machine. */
export async function newMachine(name: string, { network, boots = false }: MachineOptions): Promise<Machine> {
  const root = await newRoot(name);
  const isApart = !network || boots;
  if (isApart) {
    await exec("ip", ["netns", "add", name]);
    await succeed("ip", ["-n", name, "link", "set", "lo", "up"]);
  }
  await succeed("chroot", [root, "useradd", "--create-home", "--shell", "/bin/bash", "ana"]);

  const machine = ["-q", "-D", root, "--register=no", "--keep-unit"];
  const apart = `--network-namespace-path=/run/netns/${name}`;
  const common = [...machine, network ? "--resolv-conf=replace-host" : apart];
  const asUser = (user: string, script: string) => [
    ...common,
    ...[
      "--as-pid2",
      "--console=pipe",
      `--user=${user}`,
      `--setenv=HOME=${user === "root" ? "/root" : `/home/${user}`}`,
    ],
    ...(certificates === undefined ? [] : [`--setenv=NODE_EXTRA_CA_CERTS=/${CERTIFICATES}`]),
    ...["/bin/bash", "-lc", `set -e; cd; ${script}`],
  ];
  const log = join(folder, `${name}.log`);
  rmSync(log, { force: true });
  const enter = isApart ? ["ip", "netns", "exec", name] : [];
  let booted: Running | undefined;
  return {
    root,
    run: (user, script) => succeed("systemd-nspawn", asUser(user, script)),
    start: (user, script) => started(spawn("systemd-nspawn", asUser(user, script), pipes), log),
    boot: () =>
      (booted = started(spawn("systemd-nspawn", [...machine, apart, "--console=pipe", "--boot"], pipes), log)),
    async within(script) {
      const init = readFileSync(`/proc/${booted!.pid}/task/${booted!.pid}/children`, "utf8").trim().split(" ")[0]!;
      return succeed("nsenter", [
        "-t",
        init,
        "-m",
        "-u",
        "-i",
        "-n",
        "-p",
        "-r",
        "-w",
        "/bin/bash",
        "-lc",
        `set -e; cd /root; ${script}`,
      ]);
    },
    enter,
    firstChat: (...args) => holdFirstChat(args, { enter }),
  };
}

interface Where {
  /** The command before it, which enters another network. */
  readonly enter?: readonly string[];
  /** A certificate to trust besides. */
  readonly trust?: string;
}

/** Speaks the first chat with the installation at the address that the arguments begin with, and throws a LaunchError where it fails. */
export async function holdFirstChat(args: readonly string[], { enter = [], trust }: Where = {}): Promise<void> {
  const [program, ...rest] = [...enter, process.execPath, firstChat, ...args];
  const env = { ...process.env, ...(trust !== undefined && { NODE_EXTRA_CA_CERTS: trust }) };
  const { ok } = await exec(program!, rest, { show: true, env });
  if (!ok) {
    throw new LaunchError("The first chat failed. What machines wrote is beside them; see INSTALL_TRIALS.");
  }
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
    pid: child.pid ?? 0,
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
