import type { Socket } from "socket.io";

/**
 * How many sockets of a session are open here, from their handshake on. Each process counts its own. A new one is
 * refused rather than the oldest closed: a closed tab would come back and close the next, for ever.
 */
export function createSeats(most: number): { take(sessionId: string, socket: Socket): boolean } {
  const taken = new Map<string, Set<string>>();
  return {
    take(sessionId, { id, conn }) {
      const own = taken.get(sessionId) ?? new Set();
      if (own.size >= most || conn.readyState !== "open") {
        return false;
      }
      taken.set(sessionId, own.add(id));
      conn.once("close", () => {
        own.delete(id);
        if (own.size === 0 && taken.get(sessionId) === own) {
          taken.delete(sessionId);
        }
      });
      return true;
    },
  };
}
