import type { Driver } from "../port.ts";
import { BaileysLine } from "./line.ts";
import type { Neighbours } from "./session/index.ts";
import { usualTiming } from "./timing.ts";
import type { Timing } from "./timing.ts";

const LATELY_MS = 5 * 60_000;
/** So long the lines of a process need not find out one by one. After that the version may have been let in again. */
const REFUSED_FOR_MS = 60_000;

/** Lines over the unmodified Baileys. `timing` is for tests. */
export function createBaileysDriver(timing: Partial<Timing> = {}): Driver {
  const neighbours = createNeighbours();
  const complete: Timing = { ...usualTiming, ...timing, socket: { ...usualTiming.socket, ...timing.socket } };
  return {
    open: (host, settings) => new BaileysLine(host, settings, complete, neighbours),
  };
}

function createNeighbours(): Neighbours {
  const heardAt = new Map<number, number>();
  const refusedAt = new Map<string, number>();
  return {
    isRefused: (client) => Date.now() - (refusedAt.get(client) ?? -Infinity) < REFUSED_FOR_MS,
    refuse: (client) => void refusedAt.set(client, Date.now()),
    take: (client) => void refusedAt.delete(client),
    heard(connectionId) {
      heardAt.set(connectionId, Date.now());
    },
    forget(connectionId) {
      heardAt.delete(connectionId);
    },
    heardLately(connectionId) {
      const since = Date.now() - LATELY_MS;
      return [...heardAt].filter(([id, at]) => id !== connectionId && at > since).length;
    },
  };
}
