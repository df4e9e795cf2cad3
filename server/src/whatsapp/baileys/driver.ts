import type { Driver } from "../port.ts";
import { BaileysLine } from "./line.ts";
import type { Neighbours } from "./session-keeper.ts";
import { usualTiming } from "./timing.ts";
import type { Timing } from "./timing.ts";

const LATELY_MS = 5 * 60_000;

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
  const refused = new Set<string>();
  return {
    isRefused: (client) => refused.has(client),
    refuse: (client) => void refused.add(client),
    take: (client) => void refused.delete(client),
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
