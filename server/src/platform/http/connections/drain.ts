import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** Graceful shutdown of the HTTP server, in the order of the calls. */
export interface Drain {
  readonly isDraining: boolean;
  /** Adds `Connection: close` to each response, so that proxies connect to another process next. */
  begin(): void;
  /** Stops accepting connections. Open ones are still served. */
  closePort(): Promise<void>;
  /** Waits until no request came for a moment, then closes idle connections. */
  finish(): Promise<void>;
  /** Closes every connection at once, also during a request. */
  cut(): void;
}

/**
 * Idle connections are closed this long after the last response. Closing them together with the port, as Node does, would
 * race with a request that a proxy is sending, and proxies do not retry a POST.
 */
const IDLE_MS = 400;
const POLL_MS = 20;

/** A turn of the event loop that takes longer did some work. */
const EMPTY_TURN_MS = 0.05;
const MAX_SPIN_MS = 250;

/**
 * Resolves right after a turn of the event loop without other work, in which waiting connections were accepted. The kernel
 * resets connections that are in the accept queue when the port is closed.
 */
async function emptyTurn(): Promise<void> {
  const giveUpAt = performance.now() + MAX_SPIN_MS;
  for (let began = performance.now(); began < giveUpAt; began = performance.now()) {
    await new Promise((resolve) => setImmediate(resolve));
    if (performance.now() - began < EMPTY_TURN_MS) {
      return;
    }
  }
}

export function createDrain(fastify: FastifyInstance): Drain {
  const { server } = fastify;
  let isDraining = false;
  let openRequests = 0;
  let idleSince = performance.now();

  server.on("request", (_request, response) => {
    openRequests += 1;
    response.once("close", () => {
      openRequests -= 1;
      idleSince = performance.now();
    });
  });
  fastify.addHook("onSend", async (_request, reply) => {
    if (isDraining) {
      reply.header("connection", "close");
    }
  });

  return {
    get isDraining() {
      return isDraining;
    },
    begin() {
      isDraining = true;
    },
    async closePort() {
      await emptyTurn();
      // Not the HTTP server's own `close`, which also ends connections that idle.
      NetServer.prototype.close.call(server);
      idleSince = performance.now();
    },
    async finish() {
      while (openRequests > 0 || performance.now() - idleSince < IDLE_MS) {
        await sleep(POLL_MS, undefined, { ref: false });
      }
      server.closeAllConnections();
    },
    cut() {
      server.closeAllConnections();
    },
  };
}
