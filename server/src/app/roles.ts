import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "#server/platform/config/index.ts";
import type { BackgroundService } from "#server/platform/feature.ts";
import type { Services } from "#server/platform/services.ts";
import type { Product } from "./compose.ts";
import { insistOnOnePlace } from "./one-place-for-files.ts";
import { checkOutside } from "./outside.ts";

/** A process at work. */
export interface Running {
  readonly url: string;
  /** Stops taking work, finishes what runs, within 15 seconds. Safe to call twice. */
  stop(): Promise<void>;
}

/** Of the 15 seconds; the last one is the database's. */
const STOP_WITHIN_MS = 14_000;
/** Without a database nobody can be told. */
const LEAVE_WITHIN_MS = 3_000;
/** Leaves the last seconds to the database. */
const PART_WITHIN_MS = 10_000;

/**
 * Starts what this process's roles need, in the order of dependence: the event log before sockets, so that nothing is
 * missed; lines before jobs, so that their bound jobs find them; the port last, because it says "ready".
 */
export async function start(product: Product): Promise<Running> {
  const { services, http, tail, jobs, parts } = product;

  const ended = new AbortController();
  await checkPort(services);
  await checkSurroundings(product, ended.signal);
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

/** What has to be right around this process before it takes work. */
async function checkSurroundings({ services, mail }: Product, signal: AbortSignal): Promise<void> {
  const { storage, processes, config, log } = services;
  const files = {
    name: config.s3 ? "bucket" : "folder of files",
    without: "files can be neither kept nor shown",
    check: () => storage.check(),
  };
  await checkOutside(files, log, signal);
  const post = { name: "mail server", without: "mails wait", check: () => mail.check() };
  void checkOutside(post, log, signal);

  const place = await storage.identity();
  await processes.start(place);
  try {
    await insistOnOnePlace(processes, config.roles, place);
  } catch (error) {
    await processes.stop();
    throw error;
  }
}

/** Before any work is taken: a second start by mistake must not take lines from the first, only to give them back. */
async function checkPort({ config }: Services): Promise<void> {
  const { port, host } = config;
  await naming(port, async () => {
    const probe = createServer().listen({ port, host: await addressOf(host) });
    await once(probe, "listening");
    probe.close();
    await once(probe, "close");
  });
}

async function listen({ services, http }: Product): Promise<void> {
  const { port, host } = services.config;
  const listenTextResolver = (address: string) => `listening on ${address}`;
  await naming(port, async () => http.fastify.listen({ port, host: await addressOf(host), listenTextResolver }));
}

/** Where localhost has two addresses Fastify makes a second server, which neither drains nor has limits. */
async function addressOf(host: string): Promise<string> {
  return host === "localhost" ? (await lookup(host, { order: "ipv4first" })).address : host;
}

/** A port that another program has is a setting to change, not a bug to trace. */
async function naming(port: number, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    throw isTaken ? new ConfigError(`PORT: another program listens on ${port}; choose another port`) : error;
  }
}

/**
 * The other way round, so that nobody notices where others can stand in: lines and jobs go to them at once; requests are
 * served until proxies send none (docs/operations.md); then the port closes, browsers come back elsewhere, what runs
 * ends, and the event log last. One that never listened has no proxy to wait for.
 */
async function stop(product: Product, { mayWait = true } = {}): Promise<void> {
  const { services, http, realtime, tail, jobs, parts } = product;
  const { log, processes, config } = services;
  http.drain.begin();
  const finished = (async () => {
    const handedOver = Promise.all([
      calmly("jobs", async () => jobs?.stop()),
      ...parts.map((part) => calmly(part.name, () => stopPart(part))),
    ]);
    await Promise.race([processes.leave(), sleep(LEAVE_WITHIN_MS, undefined, { ref: false })]);
    if (mayWait && hasStandIn(services)) {
      await sleep(config.drainMs, undefined, { ref: false });
    }
    await calmly("port", () => http.drain.closePort());
    await calmly("sockets", async () => realtime?.close());
    await calmly("requests", () => http.drain.finish());
    await calmly("http", () => http.fastify.close());
    await handedOver;
    await calmly("events", async () => tail.stop());
    await calmly("processes", () => processes.stop());
    await calmly("storage", () => product.close());
  })();

  /** One that fails to stop must not keep the others from it. */
  async function calmly(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error, part: name }, "did not stop cleanly");
    }
  }

  const isInTime = await Promise.race([finished.then(() => true), sleep(STOP_WITHIN_MS, false, { ref: false })]);
  if (!isInTime) {
    // Before the database goes: a caller sees a connection that ended, not an error of ours.
    http.drain.cut();
    log.warn("some work did not end in time; leases give it to another process");
  }
}

/** Whoever this process serves, another one that is ready can serve as well. */
function hasStandIn({ config, processes }: Services): boolean {
  const served = (["http", "realtime"] as const).filter((role) => config.roles.has(role));
  return served.length > 0 && served.every((role) => processes.peers(role).length > 0);
}

async function stopPart(part: BackgroundService): Promise<void> {
  await Promise.race([part.stop(), sleep(PART_WITHIN_MS, undefined, { ref: false })]);
}
