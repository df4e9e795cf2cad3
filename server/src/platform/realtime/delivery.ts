import { setImmediate as nextTurn } from "node:timers/promises";
import type { Server } from "socket.io";
import type { Metrics } from "../metrics/index.ts";
import { everybody, scoped } from "./parts.ts";
import type { Emission } from "./parts.ts";

/** A write costs some 13 µs: this many hold the loop for about 3 ms, then requests get their turn. */
const CHUNK = 250;

export interface Delivery {
  /**
   * Writes packets to the sockets of their rooms; resolves when the last one is written. Each socket learns the cursor
   * with its last packet: one that is cut in between comes back from where it was, and misses none of them. What was
   * never stored has no cursor: a browser that missed it is not replayed it.
   */
  deliver(companyId: number, emissions: readonly Emission[], cursor?: string): Promise<void>;
  /** Are there sockets of this company here? If not, no view needs to be read. */
  hasSockets(companyId: number): boolean;
  /**
   * From now on packets for this socket wait, because what it missed is still being looked up. Call before it enters
   * its first room.
   */
  hold(socketId: string): void;
  /** Sends what waited, in order. */
  release(socketId: string): void;
  forget(socketId: string): void;
}

/**
 * Writes to sockets by room. A packet is encoded once per chunk of sockets and not once per socket (socket.io-adapter
 * broadcasts one encoded frame).
 */
export function createDelivery(io: Server, metrics: Metrics): Delivery {
  const held = new Map<string, (() => void)[]>();
  const { rooms } = io.sockets.adapter;

  function socketsOf(companyId: number, names: readonly string[]): Set<string> {
    return new Set(names.flatMap((name) => [...(rooms.get(scoped(companyId, name)) ?? [])]));
  }

  function recipients(companyId: number, { rooms: names, except = [] }: Emission): string[] {
    const excepted = socketsOf(companyId, except);
    return [...socketsOf(companyId, names)].filter((id) => !excepted.has(id));
  }

  /** Of several packets the place of each socket's last one. */
  function lastOfEach(companyId: number, emissions: readonly Emission[]): ReadonlyMap<string, number> {
    return new Map(
      emissions.flatMap((emission, at) => recipients(companyId, emission).map((id): [string, number] => [id, at])),
    );
  }

  async function deliverOne(
    companyId: number,
    emission: Emission,
    cursorFor: (socketId: string) => string | undefined,
  ) {
    const { event, payload } = emission;
    const wanted = recipients(companyId, emission);
    const write = (ids: string[], cursor: string | undefined) =>
      io.to(ids).emit(event, payload, ...(cursor === undefined ? [] : [{ cursor }]));

    wanted.filter((id) => held.has(id)).forEach((id) => held.get(id)?.push(() => write([id], cursorFor(id))));
    const ready = wanted.filter((id) => !held.has(id));
    let written = 0;
    for (const [cursor, ids] of Map.groupBy(ready, cursorFor)) {
      for (let at = 0; at < ids.length; at += CHUNK) {
        if (written > 0) {
          await nextTurn();
        }
        write(ids.slice(at, at + CHUNK), cursor);
        written += 1;
      }
    }
    metrics.emitted.inc({ event: event.replace(/^company-\d+-|-\d+$/g, "") }, wanted.length);
  }

  return {
    async deliver(companyId, emissions, cursor) {
      const last = emissions.length > 1 && cursor !== undefined ? lastOfEach(companyId, emissions) : undefined;
      for (const [at, emission] of emissions.entries()) {
        await deliverOne(companyId, emission, (id) => (last && last.get(id) !== at ? undefined : cursor));
      }
    },
    hasSockets: (companyId) => rooms.has(scoped(companyId, everybody)),
    hold: (socketId) => void held.set(socketId, []),
    release(socketId) {
      const waiting = held.get(socketId) ?? [];
      held.delete(socketId);
      waiting.forEach((send) => send());
    },
    forget: (socketId) => void held.delete(socketId),
  };
}
