import { statSync } from "node:fs";
import { access, chmod, mkdir, readFile, rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { setCoalescedInterval } from "../../clock/index.ts";
import { ConfigError } from "../../config/index.ts";
import { locateBinaries } from "./binaries.ts";
import { finishReplacement } from "./replace-cluster.ts";
import { configure, disownPidFile, findRunning, isServing, prepareCluster, refuseAsRoot, urlOf } from "./cluster.ts";
import type { Cluster, RunningServer } from "./cluster.ts";
import { chooseServerUser } from "./server-user.ts";

const START_LIMIT_MS = 60_000;
/** Additional time for a running server, which replays its WAL after a crash; a restart would begin the replay anew. */
const RECOVERY_LIMIT_MS = 600_000;
const WATCH_EVERY_MS = 1_000;
const BACK_OFF_MS = [0, 250, 500, 1_000, 2_000, 5_000, 10_000];
const DATABASE = "prosa";

export interface EmbeddedOptions {
  /** Contains the folder `postgres`; created when missing. */
  readonly dataDir: string;
  readonly log: Logger;
  /** Folder of the PostgreSQL of the major version that the data folder was made by. Default: the installed package. */
  readonly postgres?: string;
}

export interface EmbeddedDatabase {
  /** For `openDatabase`. Stays the same over restarts of the server. */
  readonly url: string;
  /** Was the server already running, left or started by another process? */
  readonly wasRunning: boolean;
  /** Stops watching, and stops the server unless `keepRunning`. */
  stop(options?: { readonly keepRunning?: boolean }): Promise<void>;
}

/**
 * Runs PostgreSQL 18 from the npm packages on `dataDir` and keeps it running: adopts a server that already runs (left by a
 * killed process, or started by another one) and restarts a server that dies.
 */
export async function startEmbedded({ dataDir, log, postgres }: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const root = path.resolve(dataDir);
  const cluster = await openCluster(root, postgres).catch((error: unknown) => {
    refuseUnwritable(error, root);
    throw error;
  });

  const found = await findRunning(cluster);
  if (!found) {
    await refuseAsRoot(cluster);
  }
  let server = await startNew(cluster, found, log);
  const url = urlOf(cluster, server, DATABASE);

  const stopWatching = keepAlive(
    cluster,
    log,
    () => server,
    (next) => (server = next),
  );

  return {
    url,
    wasRunning: found?.pid === server.pid,
    async stop({ keepRunning = false } = {}) {
      await stopWatching();
      if (!keepRunning) {
        await stopServer(cluster, await findRunning(cluster));
      }
    },
  };
}

/** Has `dataDir` an embedded database? */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  await finishReplacement(dataDir);
  return access(path.join(dataDir, "postgres", "PG_VERSION")).then(
    () => true,
    () => false,
  );
}

async function openCluster(root: string, postgres: string | undefined): Promise<Cluster> {
  await allowTraversal(root);
  const binaries = await locateBinaries(root, postgres);
  return prepareCluster(root, binaries, chooseServerUser(binaries.postgres, root), postgres !== undefined);
}

/** Lets the user of the server, who may differ from ours, traverse to its folder. */
async function allowTraversal(root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  if (process.getuid?.() === 0) {
    await chmod(root, 0o711);
  }
}

/** Restarts the server whenever it died, until the returned function is called, which waits for a restart under way. */
function keepAlive(
  cluster: Cluster,
  log: Logger,
  current: () => RunningServer,
  replace: (server: RunningServer) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let restarting: Promise<void> | undefined;
  const endWatch = setCoalescedInterval(() => {
    if (!restarting && !isServing(current().pid, cluster)) {
      restarting = restart().finally(() => (restarting = undefined));
    }
  }, WATCH_EVERY_MS);

  async function restart(): Promise<void> {
    const { signal } = stopping;
    for (let failures = 0; !signal.aborted; failures += 1) {
      log.warn({ pid: current().pid }, "embedded database died; restarting it");
      await pause(BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)] ?? 0, signal);
      try {
        if (!signal.aborted) {
          replace(await startOrAdopt(cluster, log, signal));
        }
        return;
      } catch (error) {
        if (!signal.aborted) {
          log.error({ err: error }, "embedded database failed to start");
        }
      }
    }
  }

  return async () => {
    stopping.abort();
    endWatch();
    await restarting;
  };
}

/** Starts or adopts the server and creates its database. Stops a server that it started and that is not usable. */
async function startNew(cluster: Cluster, found: RunningServer | undefined, log: Logger): Promise<RunningServer> {
  try {
    const server = await startOrAdopt(cluster, log);
    await createDatabase(urlOf(cluster, server, "postgres"));
    return server;
  } catch (error) {
    const left = await findRunning(cluster);
    if (left && left.pid !== found?.pid) {
      await stopServer(cluster, left).catch((trouble: unknown) =>
        log.warn({ err: trouble }, "embedded database could not be stopped"),
      );
    }
    throw error;
  }
}

async function startOrAdopt(cluster: Cluster, log: Logger, signal?: AbortSignal): Promise<RunningServer> {
  const giveUpAt = Date.now() + START_LIMIT_MS;
  let cause: unknown;
  for (let attempt = 0; ; attempt += 1) {
    const running = await findRunning(cluster);
    if (running && (await acceptsConnections(cluster, running))) {
      log.debug({ pid: running.pid, attempt }, "embedded database is ready");
      return running;
    }
    signal?.throwIfAborted();
    if (Date.now() > giveUpAt + (running ? RECOVERY_LIMIT_MS : 0)) {
      throw new Error(`The embedded database did not start:\n${await startLog(cluster)}`, { cause });
    }
    if (!running) {
      // Right after a kill -9 child processes still hold the shared memory: the start is refused now and works on a retry.
      await startServer(cluster, signal).catch((error: unknown) => {
        refuseUnwritable(error, path.dirname(cluster.folder));
        log.debug({ err: error }, "pg_ctl start failed");
        cause = error;
      });
    }
    await sleep(attempt === 0 ? 0 : 100);
  }
}

/** A disk that is full or cannot be written stays so over all attempts. */
function refuseUnwritable(error: unknown, root: string): void {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (["EACCES", "EDQUOT", "ENOSPC", "EROFS"].includes(code)) {
    const advice = code === "EACCES" ? adviceOfOwner(root) : "";
    throw new ConfigError(`DATA_DIR: the embedded database cannot be started: ${message}${advice}`, { cause: error });
  }
}

/** After `sudo npm start` everything is root's, and a start as oneself can write nothing. */
function adviceOfOwner(root: string): string {
  const owner = statSync(root, { throwIfNoEntry: false })?.uid;
  return owner === undefined || owner === process.getuid?.()
    ? ""
    : `. ${root} belongs to the user ${owner}: run this as that user, or give DATA_DIR to yours (sudo chown -R).`;
}

async function startServer(cluster: Cluster, signal?: AbortSignal): Promise<void> {
  await configure(cluster);
  await disownPidFile(cluster);
  const { binaries, user, folder, logFile } = cluster;
  await user.run(binaries.pgCtl, ["start", "-D", folder, "-l", logFile, "-w", "-t", "30", "-s"], signal);
}

async function stopServer({ binaries, user, folder }: Cluster, running: RunningServer | undefined): Promise<void> {
  if (running) {
    await user.run(binaries.pgCtl, ["stop", "-D", folder, "-m", "fast", "-w", "-t", "60", "-s"]);
    // The empty folder of the socket. On Windows `host` is an address and no folder.
    await rmdir(running.host).catch(() => undefined);
  }
}

/** True when the server accepts connections and runs on our folder, and not another server on the same port. */
async function acceptsConnections(cluster: Cluster, server: RunningServer): Promise<boolean> {
  const client = new pg.Client({
    connectionString: urlOf(cluster, server, "postgres"),
    connectionTimeoutMillis: 2_000,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      "select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid",
    );
    return rows[0]?.pid === server.pid;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) {
      await client.query(`create database ${DATABASE}`);
    }
  } catch (error) {
    // Another process created it at the same moment.
    if (!(error instanceof pg.DatabaseError && (error.code === "42P04" || error.code === "23505"))) {
      throw error;
    }
  } finally {
    await client.end();
  }
}

async function startLog(cluster: Cluster): Promise<string> {
  const text = await readFile(cluster.logFile, "utf8").catch(() => "");
  return text.split("\n").slice(-20).join("\n");
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
