/** What a connection may send before, and beside, the packets of its socket: each costs the server work that no session answers for. */
import type { Server, Socket } from "socket.io";
import { createBucket } from "../http/limits/index.ts";
import type { Logger } from "../log/index.ts";

/** Each is a token to be checked. A browser asks once on a connection; refused it renews its token and comes back on another. */
const MOST_HANDSHAKES = 10;
/** No browser sends WebSocket pings; each is answered, also to somebody who does not read the answers. */
const pingRate = { max: 20, perSeconds: 60 } as const;

interface WebSocketOf {
  on(event: "ping", listener: () => void): void;
  removeAllListeners(event: "ping" | "message"): void;
  terminate(): void;
}

/** Cuts off connections that flood the server with handshakes or pings; their packets are limited in connection.ts. */
export function guardConnections(io: Server, log: Logger): void {
  io.engine.on("connection", (connection: Socket["conn"]) => {
    const { socket } = connection.transport as unknown as { readonly socket: WebSocketOf };
    const cut = (what: string) => {
      log.warn(`connection cut off: too many ${what}`);
      // Thousands more may be in what was read already: the library goes through it to its end.
      socket.removeAllListeners("ping");
      socket.removeAllListeners("message");
      // Not `close`, which waits half a minute for the other side's answer.
      socket.terminate();
    };
    const takePing = createBucket(pingRate);
    socket.on("ping", () => {
      if (!takePing()) {
        cut("pings");
      }
    });
    let handshakes = 0;
    connection.on("packet", ({ data }: { readonly data?: unknown }) => {
      // a Socket.IO packet of the type CONNECT
      handshakes += typeof data === "string" && data.startsWith("0") ? 1 : 0;
      if (handshakes > MOST_HANDSHAKES) {
        cut("handshakes");
      }
    });
  });
}
