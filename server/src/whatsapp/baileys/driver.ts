import type { Driver } from "../port.ts";
import { BaileysLine } from "./line.ts";
import { createLinePeers } from "./session/index.ts";
import { defaultTiming } from "./timing.ts";
import type { Timing } from "./timing.ts";

/** Lines over the unmodified Baileys. `timing` is for tests. */
export function createBaileysDriver(timing: Partial<Timing> = {}): Driver {
  const peers = createLinePeers();
  const complete: Timing = { ...defaultTiming, ...timing, socket: { ...defaultTiming.socket, ...timing.socket } };
  return {
    open: (host, settings) => new BaileysLine(host, settings, complete, peers),
  };
}
