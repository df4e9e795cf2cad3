import { writeSync } from "node:fs";
import type { Socket } from "socket.io";
import type { EncodedPackets } from "./packet-frames.ts";

/** Bytes that may wait in this process for a socket that does not read. Far more than a replay, and shared by all that wait. */
const MAX_WAITING_BYTES = 2_000_000;

/** `readyState` of a WebSocket; beyond it are closing and closed. */
const OPEN = 1;

/** Writes as many of these bytes as the system takes, at once, and returns their number; throws where it takes none. */
export type WriteAtOnce = (descriptor: number, bytes: Buffer) => number;

/**
 * Writes packets to one socket; to one that is closing, none: its browser reconnects with its old cursor. False: it reads
 * too slowly and was closed now.
 */
export type PacketWriter = (packets: EncodedPackets) => boolean;

/** Fields of the libraries that are not part of their interface: of Engine.IO, of ws below it and of Node's stream below that. */
interface Internals {
  readonly readyState: string;
  readonly transport: { readonly socket?: WebSocketInternals };
  readonly writeBuffer?: readonly { readonly data?: unknown }[];
}
interface WebSocketInternals {
  readonly readyState?: number;
  readonly bufferedAmount?: number;
  readonly terminate?: () => void;
  readonly _sender?: { readonly sendFrame?: (frames: Buffer[]) => void };
  readonly _socket?: {
    /** False once it has ended, failed or been destroyed. */
    readonly writable: boolean;
    readonly writableLength: number;
    readonly encrypted?: boolean;
    /** Null from the moment that the descriptor is closed. */
    readonly _handle?: { readonly fd?: number } | null;
  };
}

/**
 * Makes the writer of a socket. However many they are, packets cost one system call, and little else: a thousand sockets follow
 * the same list, and what the libraries do for each write is an eighth of a delivery. So the frames go to the descriptor
 * itself, where nobody holds earlier bytes; what the system does not take at once, and every error, is the stream's. Where a
 * library still holds earlier packets, or has changed, they go its usual way and stay in order (decision 0304).
 */
export function createPacketWriter({ conn }: Socket, writeAtOnce: WriteAtOnce = writeSync): PacketWriter {
  const internals = conn as unknown as Internals;
  const webSocket = internals.transport.socket;
  const stream = webSocket?._socket;
  const handle = stream?._handle;
  const descriptor = stream?.encrypted === true ? -1 : (handle?.fd ?? -1);
  const takesFrames = typeof webSocket?._sender?.sendFrame === "function";
  const toStream = (frames: Buffer) => webSocket?._sender?.sendFrame?.([frames]);

  return ({ frames, texts }) => {
    if (webSocket?.readyState !== undefined && webSocket.readyState > OPEN) {
      return true;
    }
    const isFree =
      takesFrames &&
      internals.readyState === "open" &&
      webSocket?.readyState === OPEN &&
      internals.writeBuffer?.length === 0;
    // A stream that failed holds nothing either, and is closed in the next tick: what is written now would follow a gap.
    if (isFree && descriptor >= 0 && stream?._handle === handle && stream?.writable && stream.writableLength === 0) {
      writeToDescriptor(frames);
      return true;
    }
    if (waitingBytes(internals) > MAX_WAITING_BYTES) {
      // Not `close`, which first waits for what is not read.
      (webSocket?.terminate ?? (() => conn.close(true))).call(webSocket);
      return false;
    }
    if (isFree) {
      toStream(frames);
    } else {
      texts.forEach((text) => conn.write(text));
    }
    return true;
  };

  function writeToDescriptor(frames: Buffer): void {
    let written = 0;
    try {
      written = writeAtOnce(descriptor, frames);
    } catch {
      // The stream meets the same: a full buffer, for which it waits, or the end of the connection.
    }
    if (written < frames.length) {
      toStream(frames.subarray(written));
    }
  }
}

function waitingBytes({ transport, writeBuffer = [] }: Internals): number {
  const held = writeBuffer.reduce((sum, { data }) => sum + (typeof data === "string" ? data.length : 0), 0);
  return held + (transport.socket?.bufferedAmount ?? 0);
}
