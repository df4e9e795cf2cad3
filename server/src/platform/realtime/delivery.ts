import { setImmediate as nextTurn } from "node:timers/promises";
import type { Server } from "socket.io";
import type { Metrics } from "../metrics/index.ts";
import { everybody, scoped } from "./types.ts";
import type { Emission } from "./types.ts";

/** Sockets per turn of the event loop. A write costs some 13 µs, so a chunk blocks requests for about 3 ms. */
const CHUNK = 250;

export interface Delivery {
  /**
   * Writes packets to the sockets of their rooms; resolves when the last one is written. Each socket gets the cursor
   * with its last packet, so a socket that is cut off in between comes back with its old cursor and misses none.
   * Ephemeral packets have no cursor and are never replayed.
   */
  deliver(companyId: number, emissions: readonly Emission[], cursor?: string): Promise<void>;
  /** Has this process sockets of the company? If not, no view needs to be read. */
  hasSockets(companyId: number): boolean;
  /**
   * Buffers packets for this socket while the packets that it missed are being read. Call before it joins its first
   * room.
   */
  hold(socketId: string): void;
  /** Sends the buffered packets, in order. */
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

  /** Index of the last packet for each socket. */
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
    const targets = recipients(companyId, emission);
    const write = (ids: string[], cursor: string | undefined) =>
      io.to(ids).emit(event, payload, ...(cursor === undefined ? [] : [{ cursor }]));

    targets.filter((id) => held.has(id)).forEach((id) => held.get(id)?.push(() => write([id], cursorFor(id))));
    const ready = targets.filter((id) => !held.has(id));
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
    metrics.emitted.inc({ event: event.replace(/^company-\d+-|-\d+$/g, "") }, targets.length);
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
