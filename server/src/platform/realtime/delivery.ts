import { setImmediate as nextTurn } from "node:timers/promises";
import type { Server } from "socket.io";
import type { Logger } from "../log/index.ts";
import type { Metrics } from "../metrics/index.ts";
import { audiencesOf, isFor } from "./audiences.ts";
import { createEncoder } from "./packet-frames.ts";
import { everybody, scoped } from "./types.ts";
import type { Emission } from "./types.ts";
import { createPacketWriter } from "./write-packets.ts";
import type { PacketWriter, WriteAtOnce } from "./write-packets.ts";

/** After this time of writing, requests have their turn. */
const TURN_MS = 3;

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
   * Buffers packets for this socket while the packets that it missed, or its rights, are being read. Call before it joins its first
   * room, and before its rights are read. Each hold needs a release.
   */
  hold(socketId: string): void;
  /** Sends the buffered packets of the rooms that the socket is still in, in order, unless another hold lasts. */
  release(socketId: string): void;
  /** Of a socket that has disconnected. */
  forget(socketId: string): void;
}

/**
 * Writes to sockets by room: all packets of a batch in one write for each socket, encoded once for all sockets that get the
 * same ones. What comes while a batch is being written is in the next one, so a larger backlog costs less for each packet.
 */
export function createDelivery(io: Server, metrics: Metrics, log: Logger, writeAtOnce?: WriteAtOnce): Delivery {
  const writers = new Map<string, PacketWriter>();
  const held = new Map<string, { holds: number; readonly waiting: (() => void)[] }>();
  const { rooms } = io.sockets.adapter;

  return {
    async deliver(companyId, emissions, cursor) {
      const audiences = audiencesOf(emissions, (room) => rooms.get(scoped(companyId, room)));
      const encoded = createEncoder(emissions, cursor);
      let turnEndsAt = performance.now() + TURN_MS;
      for (const { packets, ids } of audiences) {
        const own = encoded(packets);
        const write = (id: string, encodedPackets = own) => {
          if (writerOf(id)?.(encodedPackets) === false) {
            log.warn("socket closed: it reads too slowly");
          }
        };
        const writeHeld = (id: string) => {
          const isIn = (room: string) => rooms.get(scoped(companyId, room))?.has(id) === true;
          const still = packets.filter((packet) => isFor(emissions[packet]!, isIn));
          if (still.length > 0) {
            write(id, still.length === packets.length ? own : encoded(still));
          }
        };
        for (const id of ids) {
          if (performance.now() > turnEndsAt) {
            await nextTurn();
            turnEndsAt = performance.now() + TURN_MS;
          }
          const hold = held.get(id);
          if (hold) {
            hold.waiting.push(() => writeHeld(id));
          } else {
            write(id);
          }
        }
        packets.forEach((packet) => count(emissions[packet]!.event, ids.length));
      }
    },
    hasSockets: (companyId) => rooms.has(scoped(companyId, everybody)),
    hold(socketId) {
      const hold = held.get(socketId) ?? { holds: 0, waiting: [] };
      hold.holds += 1;
      held.set(socketId, hold);
    },
    release(socketId) {
      const hold = held.get(socketId);
      if (hold && (hold.holds -= 1) === 0) {
        held.delete(socketId);
        hold.waiting.forEach((send) => send());
      }
    },
    forget(socketId) {
      held.delete(socketId);
      writers.delete(socketId);
    },
  };

  function writerOf(id: string): PacketWriter | undefined {
    const known = writers.get(id);
    const socket = known ? undefined : io.sockets.sockets.get(id);
    if (!socket) {
      return known;
    }
    const writer = createPacketWriter(socket, writeAtOnce);
    writers.set(id, writer);
    return writer;
  }

  function count(event: string, sockets: number): void {
    metrics.emitted.inc({ event: event.replace(/^company-\d+-|-\d+$/g, "") }, sockets);
  }
}
