import type { Socket } from "socket.io";

/**
 * Limits the open sockets of a session, from the handshake on. Each process counts its own. The new socket is refused
 * instead of closing the oldest one, because a closed tab would reconnect and close the next one, for ever.
 */
export function createSocketLimit(max: number): { acquire(sessionId: string, socket: Socket): boolean } {
  const openSockets = new Map<string, Set<string>>();
  return {
    acquire(sessionId, { id, conn }) {
      const own = openSockets.get(sessionId) ?? new Set();
      if (own.size >= max || conn.readyState !== "open") {
        return false;
      }
      openSockets.set(sessionId, own.add(id));
      conn.once("close", () => {
        own.delete(id);
        if (own.size === 0 && openSockets.get(sessionId) === own) {
          openSockets.delete(sessionId);
        }
      });
      return true;
    },
  };
}
