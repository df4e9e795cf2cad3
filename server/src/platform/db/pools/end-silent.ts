import type { Socket } from "node:net";
import type pg from "pg";

interface Seen {
  readonly bytesRead: number;
  /** When (ms, monotonic) so many had been read for the first time. */
  readonly since: number;
}

/**
 * Ends the connections in use that have been silent for so long (ms), or half as long again: what waits on them rejects, and the next
 * caller gets a new one. A host that vanished, or a firewall that forgot the connection, answers nothing, and TCP gives up only after a
 * quarter of an hour. It looks at times of its own: a timeout of the socket would be set anew with each packet.
 */
export function endSilentConnections(pool: pg.Pool, silenceMs: number): void {
  const inUse = new Map<pg.PoolClient, Seen | undefined>();
  let next: NodeJS.Timeout | undefined;
  pool.on("acquire", (client) => {
    inUse.set(client, undefined);
    next ??= lookLater();
  });
  pool.on("release", (_error, client) => inUse.delete(client));

  function lookLater(): NodeJS.Timeout {
    return setTimeout(look, silenceMs / 2).unref();
  }

  function look(): void {
    const now = performance.now();
    for (const [client, seen] of inUse) {
      const { bytesRead } = socketOf(client);
      if (seen?.bytesRead !== bytesRead) {
        inUse.set(client, { bytesRead, since: now });
      } else if (now - seen.since >= silenceMs) {
        endIfSilent(socketOf(client), bytesRead);
      }
    }
    next = inUse.size > 0 ? lookLater() : undefined;
  }
}

/** After a pause of this process the answer may be there, not read yet: that comes before an immediate. */
function endIfSilent(socket: Socket, bytesRead: number): void {
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) {
      socket.destroy(new Error("Connection terminated: the database was silent for too long"));
    }
  });
}

function socketOf({ connection }: pg.PoolClient): Socket {
  return connection.stream as Socket;
}
