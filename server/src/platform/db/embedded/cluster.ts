import { createHash, randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { appendFile, chmod, lstat, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, totalmem } from "node:os";
import path from "node:path";
import { ConfigError } from "../../config/index.ts";
import { installedMajor } from "./binaries.ts";
import { finishReplacement, majorOf } from "./replace-cluster.ts";
import type { Binaries } from "./binaries.ts";
import { giveOwnership, NOBODY_UID } from "./server-user.ts";
import type { ServerUser } from "./server-user.ts";

const IS_WINDOWS = process.platform === "win32";
const SUPERUSER = "postgres";
/** More than the largest number of a process. */
const NO_PROCESS = 2_147_483_647;

/** A data folder with everything needed to run and reach its server. */
export interface Cluster {
  readonly binaries: Binaries;
  readonly user: ServerUser;
  /** PGDATA. */
  readonly folder: string;
  readonly logFile: string;
  readonly password: string | undefined;
}

/** A running server, from its postmaster.pid. */
export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  /** Folder of the Unix socket, or the loopback address on Windows. */
  readonly host: string;
}

/**
 * Creates the data folder when it is missing. Safe with several processes at once: the first to finish wins. `isOtherMajor`: the programs
 * are those that the folder was made by, and not the installed ones.
 */
export async function prepareCluster(
  dataDir: string,
  binaries: Binaries,
  user: ServerUser,
  isOtherMajor: boolean,
): Promise<Cluster> {
  const folder = path.join(dataDir, "postgres");
  const password = IS_WINDOWS ? await readOrCreatePassword(dataDir) : undefined;
  const cluster = { binaries, user, folder, password, logFile: path.join(dataDir, "postgres-start.log") };

  await finishReplacement(dataDir);
  if (!(await exists(path.join(folder, "PG_VERSION")))) {
    await initialise(cluster);
  }
  if (!isOtherMajor) {
    await refuseOtherMajor(folder);
  }
  return cluster;
}

/**
 * A data folder belongs to one major version of PostgreSQL. A server of another one would end with a line in its own log, and the start
 * would wait for it in vain.
 */
async function refuseOtherMajor(folder: string): Promise<void> {
  const [made, installed] = [await majorOf(folder), await installedMajor()];
  if (made !== installed) {
    throw new ConfigError(
      `DATA_DIR: ${folder} was made by PostgreSQL ${made}, and this release brings PostgreSQL ${installed}. ` +
        "Carry it over, which needs as much room on the disk again: npm run upgrade-database",
    );
  }
}

/** Call before the start: root would take over the files of the service user, whose next start then fails. */
export async function refuseAsRoot({ folder }: Cluster): Promise<void> {
  const { uid } = await lstat(folder);
  if (process.getuid?.() === 0 && uid !== 0 && uid !== NOBODY_UID) {
    throw new ConfigError(`DATA_DIR: ${folder} belongs to the user ${uid}; run this as that user, not as root`);
  }
}

async function initialise(cluster: Cluster): Promise<void> {
  const { folder, user, binaries } = cluster;
  // initdb runs in a temporary folder that is then renamed, because kill -9 could leave a half-initialized one.
  const draft = `${folder}.${process.pid}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await giveOwnership(user, draft);

  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-locale", "-E", "UTF8"];
  const access = cluster.password
    ? ["-A", "scram-sha-256", `--pwfile=${passwordFile(path.dirname(folder))}`]
    : // Only who can enter the socket's folder (0700) can connect.
      ["-A", "trust"];
  await user.run(binaries.initdb, ["-D", draft, "-U", SUPERUSER, ...locale, ...access, "--no-instructions"]);
  await appendFile(path.join(draft, "postgresql.conf"), "\ninclude_if_exists = 'prosa.conf'\n");

  try {
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(path.join(folder, "PG_VERSION")))) {
      throw error;
    }
  }
}

/** Writes the settings for the next start: sparing with memory, never sparing with durability. */
export async function configure(cluster: Cluster): Promise<void> {
  const settings = {
    ...(IS_WINDOWS
      ? { listen_addresses: "127.0.0.1", port: await stablePort(cluster) }
      : { listen_addresses: "", port: 5432, unix_socket_directories: await socketFolder(cluster) }),
    max_connections: 100,
    shared_buffers: totalmem() < 4 * 1024 ** 3 ? "128MB" : "256MB",
    fsync: "on",
    synchronous_commit: "on",
    wal_level: "replica",
    max_wal_size: "1GB",
    random_page_cost: 1.1,
    jit: "off",
    // Commits write the log themselves; five wake-ups a second would only keep an idle machine awake.
    wal_writer_delay: "2s",
    timezone: "UTC",
    log_timezone: "UTC",
    logging_collector: "on",
    log_filename: "postgres-%a.log",
    log_truncate_on_rotation: "on",
    log_rotation_age: "1d",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'`);
  const file = path.join(cluster.folder, "prosa.conf");

  await giveOwnership(cluster.user, cluster.folder);
  await writeFile(
    file,
    ["# Written at each start. Your own settings belong in postgresql.conf.", ...lines, ""].join("\n"),
  );
  await giveOwnership(cluster.user, file);
  await writeFile(cluster.logFile, "");
  await giveOwnership(cluster.user, cluster.logFile);
}

/** The server of postmaster.pid, if it is alive. It may still be starting. */
export async function findRunning(cluster: Cluster): Promise<RunningServer | undefined> {
  const text = await readFile(pidFile(cluster), "utf8").catch(() => "");
  const [pid, , , port, socket, address] = text.split("\n").map((line) => line.trim());
  const host = socket || address;
  if (!pid || !port || !host || !isServing(Number(pid), cluster)) {
    return undefined;
  }
  return { pid: Number(pid), port: Number(port), host };
}

/**
 * After a reboot the number in postmaster.pid may be that of another program, and PostgreSQL would not start beside it. A number that no
 * process can have leaves it to judge by the shared memory that the file names as well.
 */
export async function disownPidFile(cluster: Cluster): Promise<void> {
  const text = await readFile(pidFile(cluster), "utf8").catch(() => "");
  const [pid = "", ...rest] = text.split("\n");
  if (isAlive(Number(pid)) && !isServing(Number(pid), cluster)) {
    await writeFile(pidFile(cluster), [NO_PROCESS, ...rest].join("\n"));
  }
}

function pidFile({ folder }: Cluster): string {
  return path.join(folder, "postmaster.pid");
}

/** Is the process alive, and as far as can be known the server of this folder? */
export function isServing(pid: number, { folder }: Cluster): boolean {
  if (!isAlive(pid)) {
    return false;
  }
  try {
    // The server works in its data folder.
    const [workFolder, ours] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return workFolder.dev === ours.dev && workFolder.ino === ours.ino;
  } catch {
    return nameOf(pid)?.includes("postgres") ?? true;
  }
}

/** Undefined where processes are not told of. */
function nameOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8");
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid > 0;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The URL of one database of a running server. */
export function urlOf(cluster: Cluster, server: RunningServer, database: string): string {
  const password = cluster.password ? `:${cluster.password}` : "";
  const query = new URLSearchParams({ host: server.host, port: String(server.port) });
  return `postgresql://${SUPERUSER}${password}@localhost/${database}?${query}`;
}

/** A short path, because that of a Unix socket is limited to about 100 bytes; the same at each start, so that few folders are left over. */
async function socketFolder({ folder, user }: Cluster): Promise<string> {
  const name = `prosa-${createHash("sha256").update(path.resolve(folder)).digest("hex").slice(0, 10)}`;
  const preferred = path.join(tmpdir(), name);
  await mkdir(preferred, { mode: 0o700 }).catch(() => undefined);

  const stat = await lstat(preferred);
  const isOurs = stat.isDirectory() && [process.getuid?.(), user.owner].includes(stat.uid);
  // The temporary folder is writable by all users: a folder of another user is not used.
  const chosen = isOurs ? preferred : await mkdtemp(`${preferred}-`);
  await chmod(chosen, 0o700);
  await giveOwnership(user, chosen);
  return chosen;
}

async function readOrCreatePassword(dataDir: string): Promise<string> {
  const file = passwordFile(dataDir);
  await writeFile(file, randomBytes(24).toString("hex"), { mode: 0o600, flag: "wx" }).catch(() => undefined);
  return (await readFile(file, "utf8")).trim();
}

function passwordFile(dataDir: string): string {
  return path.join(dataDir, "postgres-password");
}

/** The port of the last start, so that the URL stays the same over restarts; any free one at first. */
async function stablePort({ folder }: Cluster): Promise<number> {
  const settings = await readFile(path.join(folder, "prosa.conf"), "utf8").catch(() => "");
  return Number(/^port = '(\d+)'$/m.exec(settings)?.[1]) || freePort();
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address ? address.port : 5432;
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
