import type { Emission } from "./types.ts";

/** Packets as one socket gets them, encoded. */
export interface EncodedPackets {
  /** Their WebSocket frames, one after the other. */
  readonly frames: Buffer;
  /** Their texts for the transport, which frames them itself. */
  readonly texts: readonly string[];
}

/**
 * Encodes the packets of a batch: each payload once, and each packet at most twice: with the cursor for those whose last
 * one it is. Returns what the sockets get that receive these packets, by index.
 */
export function createEncoder(
  emissions: readonly Emission[],
  cursor: string | undefined,
): (packets: readonly number[]) => EncodedPackets {
  const json = emissions.map(({ event, payload }) => once(() => JSON.stringify([event, payload])));
  const plain = json.map((text) => once(() => encode(text())));
  const last = json.map((text) => once(() => encode(`${text().slice(0, -1)},${JSON.stringify({ cursor })}]`)));
  return (packets) => {
    const encoded = packets.map((packet, at) => {
      const isLast = cursor !== undefined && at === packets.length - 1;
      return (isLast ? last : plain)[packet]!();
    });
    return { frames: joined(encoded.map(({ frame }) => frame)), texts: encoded.map(({ text }) => text) };
  };
}

/** Packet type of the Socket.IO protocol: an event of the main namespace. */
const EVENT = "2";
/** Packet type of the Engine.IO protocol, which carries it. */
const MESSAGE = "4";

function encode(json: string): { readonly text: string; readonly frame: Buffer } {
  const text = EVENT + json;
  return { text, frame: frameOf(Buffer.from(MESSAGE + text)) };
}

/** A final text frame, unmasked, as servers send them (RFC 6455, section 5.2). */
function frameOf(data: Buffer): Buffer {
  const finalText = 0x81;
  if (data.length < 126) {
    return Buffer.concat([Buffer.from([finalText, data.length]), data]);
  }
  const isShort = data.length < 65_536;
  const header = Buffer.alloc(isShort ? 4 : 10);
  header[0] = finalText;
  header[1] = isShort ? 126 : 127;
  header.writeUIntBE(data.length, isShort ? 2 : 4, isShort ? 2 : 6);
  return Buffer.concat([header, data]);
}

function joined(frames: readonly Buffer[]): Buffer {
  return frames.length === 1 ? frames[0]! : Buffer.concat(frames);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
