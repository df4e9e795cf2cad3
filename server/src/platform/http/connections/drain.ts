import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** How a server stops without losing a request, in the order in which it is called. */
export interface Drain {
  readonly isDraining: boolean;
  /** From now on each answer closes its connection, so that a proxy asks somebody else next. */
  begin(): void;
  /** The port takes nobody any more. What is connected is still served. */
  closePort(): Promise<void>;
  /** Resolves when nothing has been asked for a moment; then connections that idle are closed. */
  finish(): Promise<void>;
  /** Ends every connection, whatever is under way on it. */
  cut(): void;
}

/**
 * A connection that idles is closed only so long after the last answer. To close it at once, as Node does with the
 * port, would race with a request that a proxy is sending on it, and a proxy does not send a POST twice.
 */
const QUIET_MS = 400;
const LOOK_MS = 20;

/** A turn of the event loop that takes longer had something to do. */
const EMPTY_TURN_MS = 0.05;
const SPINS_MS = 250;

/**
 * Resolves right after a turn of the event loop that accepted whoever had come and did nothing else: whoever is in the
 * kernel's queue when the port closes is reset, and the kernel offers no way to close only the entrance.
 */
async function emptyTurn(): Promise<void> {
  const giveUpAt = performance.now() + SPINS_MS;
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
  let underWay = 0;
  let quietSince = performance.now();

  server.on("request", (_request, response) => {
    underWay += 1;
    response.once("close", () => {
      underWay -= 1;
      quietSince = performance.now();
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
      quietSince = performance.now();
    },
    async finish() {
      while (underWay > 0 || performance.now() - quietSince < QUIET_MS) {
        await sleep(LOOK_MS, undefined, { ref: false });
      }
      server.closeAllConnections();
    },
    cut() {
      server.closeAllConnections();
    },
  };
}
