import type { Socket } from "socket.io";
import type { EncodedPackets } from "./packet-frames.ts";

/** Bytes that may wait in this process for a socket that does not read. Far more than a replay, and shared by all that wait. */
const MAX_WAITING_BYTES = 2_000_000;

/** Fields of the library that are not part of its interface, and of ws below it. Absent in another version of it. */
interface Internals {
  readonly transport: {
    readonly socket?: {
      readonly readyState?: number;
      readonly bufferedAmount?: number;
      readonly terminate?: () => void;
      readonly _sender?: { readonly sendFrame?: (frames: Buffer[]) => void };
    };
  };
  readonly writeBuffer?: readonly { readonly data?: unknown }[];
}

/**
 * Writes packets to a socket with one system call, which is most of what a delivery costs, however many packets they are:
 * their frames go to the WebSocket directly. Where the library still holds earlier packets, or has changed, they go its usual
 * way and stay in order. False: the socket reads too slowly and was closed; its browser reconnects with its old cursor.
 */
export function writePackets({ conn }: Socket, { frames, texts }: EncodedPackets): boolean {
  const internals = conn as unknown as Internals;
  const webSocket = internals.transport.socket;
  if (waitingBytes(internals) > MAX_WAITING_BYTES) {
    // Not `close`, which first waits for what is not read.
    (webSocket?.terminate ?? (() => conn.close(true))).call(webSocket);
    return false;
  }
  if (canWriteFrames(conn)) {
    webSocket?._sender?.sendFrame?.([frames]);
  } else {
    texts.forEach((text) => conn.write(text));
  }
  return true;
}

/** Whether frames can be written past the library: it knows them, and holds no earlier packets. */
export function canWriteFrames(conn: Socket["conn"]): boolean {
  const { transport, writeBuffer } = conn as unknown as Internals;
  const webSocket = transport.socket;
  return (
    conn.readyState === "open" &&
    webSocket?.readyState === 1 &&
    typeof webSocket._sender?.sendFrame === "function" &&
    writeBuffer?.length === 0
  );
}

function waitingBytes({ transport, writeBuffer = [] }: Internals): number {
  const held = writeBuffer.reduce((sum, { data }) => sum + (typeof data === "string" ? data.length : 0), 0);
  return held + (transport.socket?.bufferedAmount ?? 0);
}
