import type { Transform } from "node:stream";
import { crc32, createDeflateRaw, deflateRawSync } from "node:zlib";

/** A file of an archive; `content` is read when its turn comes. */
export interface ZipFile {
  readonly name: string;
  readonly content: string | AsyncIterable<string | Uint8Array>;
}

/**
 * Writes a ZIP archive as a stream: one chunk of one file is held at a time. Archives, files and their number may be of any size: what the
 * first format has no room for stands in ZIP64 fields, which only then are written, so that old readers open what they always could.
 */
export async function* writeZip(files: AsyncIterable<ZipFile> | Iterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const entries: ZipEntry[] = [];
  let offset = 0;
  for await (const { name, content } of files) {
    const entry = { name, offset, crc: 0, packed: 0, size: 0 };
    const header = localHeader(name);
    yield header;
    for await (const chunk of typeof content === "string" ? deflatedAtOnce(content, entry) : deflated(content, entry)) {
      yield chunk;
    }
    const descriptor = dataDescriptor(entry);
    yield descriptor;
    offset += header.length + entry.packed + descriptor.length;
    entries.push(entry);
  }
  yield* centralDirectory(entries, offset);
}

interface ZipEntry {
  readonly name: string;
  readonly offset: number;
  crc: number;
  packed: number;
  size: number;
}

/** A text is in memory anyway, and a stream for each of many small ones would cost more than packing it. */
function* deflatedAtOnce(content: string, entry: ZipEntry): Generator<Uint8Array> {
  const bytes = Buffer.from(content);
  const packed = deflateRawSync(bytes, { level: 6 });
  entry.crc = crc32(bytes);
  entry.size = bytes.length;
  entry.packed = packed.length;
  yield packed;
}

/** The deflated content; the entry gets its checksum and sizes (bytes) meanwhile. */
async function* deflated(parts: AsyncIterable<string | Uint8Array>, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw({ level: 6 });
  const writing = (async () => {
    try {
      for await (const part of parts) {
        if (deflate.destroyed) {
          return;
        }
        const bytes = typeof part === "string" ? Buffer.from(part) : part;
        entry.crc = crc32(bytes, entry.crc);
        entry.size += bytes.length;
        if (!deflate.write(bytes)) {
          await drainedOrClosed(deflate);
        }
      }
      deflate.end();
    } catch (error) {
      deflate.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  })();
  try {
    for await (const chunk of deflate) {
      const bytes = chunk as Buffer;
      entry.packed += bytes.length;
      yield bytes;
    }
  } finally {
    // A reader that went away has destroyed the stream: the source is ended before the archive is.
    await writing;
  }
}

/** A stream whose reader went away is closed and never drained. */
async function drainedOrClosed(stream: Transform): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}

const zipVersion = 20;
const zip64Version = 45;
/** Sizes and checksum follow the content (bit 3), names are UTF-8 (bit 11). */
const zipFlags = 0b1000_0000_1000;
const deflateMethod = 8;
/** 1 January 1980: the format's first day. */
const zipDate = 0b10_0001;
/** In a field of the first format: the value stands in the ZIP64 field. So this value itself does, too. */
const NO_ROOM_32 = 0xff_ff_ff_ff;
const NO_ROOM_16 = 0xff_ff;

function localHeader(name: string): Buffer {
  const bytes = Buffer.from(name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04_03_4b_50, 0);
  header.writeUInt16LE(zipVersion, 4);
  header.writeUInt16LE(zipFlags, 6);
  header.writeUInt16LE(deflateMethod, 8);
  header.writeUInt16LE(zipDate, 12);
  header.writeUInt16LE(bytes.length, 26);
  return Buffer.concat([header, bytes]);
}

/** The sizes have eight bytes each where a file has no room in four; readers find them in the directory. */
function dataDescriptor({ crc, packed, size }: ZipEntry): Buffer {
  const isLarge = Math.max(packed, size) >= NO_ROOM_32;
  const descriptor = Buffer.alloc(isLarge ? 24 : 16);
  descriptor.writeUInt32LE(0x08_07_4b_50, 0);
  descriptor.writeUInt32LE(crc, 4);
  if (isLarge) {
    descriptor.writeBigUInt64LE(BigInt(packed), 8);
    descriptor.writeBigUInt64LE(BigInt(size), 16);
  } else {
    descriptor.writeUInt32LE(packed, 8);
    descriptor.writeUInt32LE(size, 12);
  }
  return descriptor;
}

function directoryHeader(entry: ZipEntry): Buffer {
  const bytes = Buffer.from(entry.name);
  // In this order, and only those that have no room in the header.
  const large = [entry.size, entry.packed, entry.offset].filter((value) => value >= NO_ROOM_32);
  const extra = Buffer.alloc(large.length === 0 ? 0 : 4 + 8 * large.length);
  if (large.length > 0) {
    extra.writeUInt16LE(0x00_01, 0);
    extra.writeUInt16LE(8 * large.length, 2);
    large.forEach((value, index) => extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index));
  }
  const version = large.length > 0 ? zip64Version : zipVersion;
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02_01_4b_50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(version, 6);
  header.writeUInt16LE(zipFlags, 8);
  header.writeUInt16LE(deflateMethod, 10);
  header.writeUInt16LE(zipDate, 14);
  header.writeUInt32LE(entry.crc, 16);
  header.writeUInt32LE(Math.min(entry.packed, NO_ROOM_32), 20);
  header.writeUInt32LE(Math.min(entry.size, NO_ROOM_32), 24);
  header.writeUInt16LE(bytes.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(Math.min(entry.offset, NO_ROOM_32), 42);
  return Buffer.concat([header, bytes, extra]);
}

function* centralDirectory(entries: readonly ZipEntry[], offset: number): Generator<Uint8Array> {
  let size = 0;
  for (const entry of entries) {
    const header = directoryHeader(entry);
    size += header.length;
    yield header;
  }
  const count = entries.length;
  if (count >= NO_ROOM_16 || size >= NO_ROOM_32 || offset >= NO_ROOM_32) {
    yield zip64End({ count, size, offset });
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(Math.min(count, NO_ROOM_16), 8);
  end.writeUInt16LE(Math.min(count, NO_ROOM_16), 10);
  end.writeUInt32LE(Math.min(size, NO_ROOM_32), 12);
  end.writeUInt32LE(Math.min(offset, NO_ROOM_32), 16);
  yield end;
}

/** The end record of ZIP64 (56 bytes), and the locator by which a reader finds it (20 bytes). */
function zip64End({ count, size, offset }: { count: number; size: number; offset: number }): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06_06_4b_50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(zip64Version, 12);
  end.writeUInt16LE(zip64Version, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x07_06_4b_50, 56);
  end.writeBigUInt64LE(BigInt(offset + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
