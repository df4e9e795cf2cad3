import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";

export interface SocketOptions {
  readonly cursor?: string;
  readonly joins?: readonly (readonly [string, (string | number)?])[];
}

export interface Packet {
  readonly event: string;
  readonly payload: unknown;
  readonly cursor: string | undefined;
}

/** A socket client that records its packets. */
export interface TestSocket {
  readonly io: Socket;
  /** Every packet so far, `ready` among them. */
  readonly packets: readonly Packet[];
  /** Resolves with the cursor of `ready`; rejects with the code of a refused handshake. */
  readonly ready: Promise<string>;
  /** Sends `joinX`; resolves with whether the server allowed it. */
  join(name: string, argument?: string | number): Promise<boolean>;
  /** The next packet of this event that was not returned yet; waits for it. */
  next(event: string): Promise<Packet>;
  /** Resolves when all packets that were sent before have arrived. */
  flushed(): Promise<void>;
  close(): void;
}

export function connectSocket(url: string, token: string, { cursor, joins }: SocketOptions): TestSocket {
  const socket = io(url, {
    transports: ["websocket"],
    reconnection: false,
    forceNew: true,
    auth: { token, cursor, joins },
  });
  const packets: Packet[] = [];
  const waiting = new Set<() => void>();
  const seen = new Map<string, number>();
  socket.onAny((event: string, payload: unknown, meta?: { readonly cursor?: string }) => {
    packets.push({ event, payload, cursor: meta?.cursor });
    waiting.forEach((look) => look());
  });

  async function next(event: string): Promise<Packet> {
    const nth = seen.get(event) ?? 0;
    seen.set(event, nth + 1);
    return new Promise((resolve) => {
      const look = () => {
        const found = packets.filter((packet) => packet.event === event)[nth];
        if (found) {
          waiting.delete(look);
          resolve(found);
        }
      };
      waiting.add(look);
      look();
    });
  }

  const ready = new Promise<string>((resolve, reject) => {
    socket.once("ready", (position: { readonly cursor: string }) => resolve(position.cursor));
    socket.once("connect_error", reject);
  });
  return {
    io: socket,
    packets,
    ready,
    next,
    join: (name, argument) => socket.emitWithAck(name, argument) as Promise<boolean>,
    async flushed() {
      await socket.emitWithAck("userStatus");
    },
    close: () => void socket.disconnect(),
  };
}
