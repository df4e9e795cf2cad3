import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import type { BackgroundService } from "#server/platform/feature.ts";
import type { Services } from "#server/platform/services.ts";
import type { Product } from "../compose.ts";
import { requireSharedStorage } from "./shared-storage.ts";
import { checkExternalService } from "./external-services.ts";

/** A started product. */
export interface RunningProduct {
  readonly url: string;
  /** Stops taking work and finishes running work within 15 seconds. Idempotent. */
  stop(): Promise<void>;
}

/** Of the 15 seconds; the last one is for closing the database. */
const STOP_WITHIN_MS = 14_000;
/** Leaving the process registry needs the database, which may be gone. */
const LEAVE_WITHIN_MS = 3_000;
/** Per part; leaves the last seconds for the database. */
const PART_WITHIN_MS = 10_000;

/**
 * Starts what this process's roles need, in the order of dependence: the event tail before sockets, so that no event is
 * missed; lines before jobs, so that jobs bound to a line find it; the port last, because it signals readiness.
 */
export async function startProduct(product: Product): Promise<RunningProduct> {
  const { services, http, tail, jobs, parts } = product;

  const ended = new AbortController();
  await checkPort(services.config);
  await checkDependencies(product, ended.signal);
  try {
    await tail.start();
    for (const part of parts) {
      await part.start();
    }
    await jobs?.start();
    await listen(product);
  } catch (error) {
    await stop(product, { mayWait: false });
    throw error;
  }
  const { port } = http.fastify.server.address() as AddressInfo;
  const url = `http://localhost:${port}`;
  services.bound(url);
  await services.processes.ready();

  let stopping: Promise<void> | undefined;
  return {
    url,
    stop() {
      ended.abort();
      return (stopping ??= stop(product));
    },
  };
}

/** Checks external services and the other processes before this one takes work. */
async function checkDependencies({ services, mail }: Product, signal: AbortSignal): Promise<void> {
  const { storage, processes, config, log } = services;
  const files = {
    name: config.s3 ? "bucket" : "folder of files",
    consequence: "files can be neither stored nor served",
    check: () => storage.check(),
  };
  await checkExternalService(files, log, signal);
  const mailServer = { name: "mail server", consequence: "mails wait", check: () => mail.check() };
  void checkExternalService(mailServer, log, signal);

  const fileStorage = await storage.identity();
  await processes.start(fileStorage);
  try {
    await requireSharedStorage(processes, config.roles, fileStorage);
  } catch (error) {
    await processes.stop();
    throw error;
  }
}

/**
 * Before any work is taken: an accidental second start must not take lines over from the first. Throws ConfigError where HOST and PORT
 * cannot be listened on.
 */
export async function checkPort(config: Config): Promise<void> {
  await withPortError(config, async ({ port, host }) => {
    const probe = createServer().listen({ port, host: await addressOf(host) });
    await once(probe, "listening");
    probe.close();
    await once(probe, "close");
  });
}

async function listen({ services, http }: Product): Promise<void> {
  const listenTextResolver = (address: string) => `listening on ${address}`;
  await withPortError(services.config, async ({ port, host }) =>
    http.fastify.listen({ port, host: await addressOf(host), listenTextResolver }),
  );
}

/** One address for localhost: where it has two, Fastify opens a second server without draining and limits. */
async function addressOf(host: string): Promise<string> {
  return host === "localhost" ? (await lookup(host, { order: "ipv4first" })).address : host;
}

async function withPortError(config: Config, work: (config: Config) => Promise<unknown>): Promise<void> {
  try {
    await work(config);
  } catch (error) {
    throw portError(error, config);
  }
}

/** What `listen` failed with, as ConfigError where it is a setting to change: without a stack trace. */
export function portError(error: unknown, { port, host }: Pick<Config, "port" | "host">): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new ConfigError(`PORT: another program listens on ${port}; choose another port`);
  }
  if (code === "EACCES") {
    return new ConfigError(
      `PORT: this user may not listen on ${port}; choose a port from 1024 on, and let a proxy have ${port}`,
    );
  }
  return ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(code)
    ? new ConfigError(`HOST: ${host} is not an address of this machine; leave it out to listen on all of them`)
    : error;
}

/**
 * Graceful shutdown, without an outage if other processes take over: lines and jobs are handed over at once; requests
 * are served until proxies send no more (docs/operations.md); then the port closes, sockets reconnect elsewhere, running
 * requests finish, and the event tail stops last. `mayWait: false` for a process that never listened.
 */
async function stop(product: Product, { mayWait = true } = {}): Promise<void> {
  const { services, http, realtime, tail, jobs, parts } = product;
  const { log, processes, config } = services;
  http.drain.begin();
  const finished = (async () => {
    const handedOver = Promise.all([
      stopStep("jobs", async () => jobs?.stop()),
      ...parts.map((part) => stopStep(part.name, () => stopPart(part))),
    ]);
    await Promise.race([processes.leave(), sleep(LEAVE_WITHIN_MS, undefined, { ref: false })]);
    if (mayWait && hasPeer(services)) {
      await sleep(config.drainMs, undefined, { ref: false });
    }
    await stopStep("port", () => http.drain.closePort());
    await stopStep("sockets", async () => realtime?.close());
    await stopStep("requests", () => http.drain.finish());
    await stopStep("http", () => http.fastify.close());
    await handedOver;
    await stopStep("events", async () => tail.stop());
    await stopStep("processes", () => processes.stop());
    await stopStep("storage", () => product.close());
  })();

  /** Logs an error, so that the other steps still run. */
  async function stopStep(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error, part: name }, "shutdown step failed");
    }
  }

  const isInTime = await Promise.race([finished.then(() => true), sleep(STOP_WITHIN_MS, false, { ref: false })]);
  if (!isInTime) {
    // Before the database closes: clients see a closed connection rather than a 500.
    http.drain.cut();
    log.warn("shutdown timed out with work in progress; another process takes it over when its leases expire");
  }
}

/** Whether another ready process can serve every client of this one. */
function hasPeer({ config, processes }: Services): boolean {
  const served = (["http", "realtime"] as const).filter((role) => config.roles.has(role));
  return served.length > 0 && served.every((role) => processes.peers(role).length > 0);
}

async function stopPart(part: BackgroundService): Promise<void> {
  await Promise.race([part.stop(), sleep(PART_WITHIN_MS, undefined, { ref: false })]);
}
