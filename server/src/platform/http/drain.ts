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
      // Right after the event loop has accepted whoever had come: those still in the kernel's queue would be reset.
      await new Promise((resolve) => setImmediate(resolve));
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
