import { crc32, createDeflateRaw } from "node:zlib";

/** A file of an archive; `content` is read when its turn comes. */
export interface ZipFile {
  readonly name: string;
  readonly content: string | AsyncIterable<string | Uint8Array>;
}

/** Writes a ZIP archive as a stream: one chunk of one file is held at a time. Files and archive stay below 4 GB. */
export async function* writeZip(files: AsyncIterable<ZipFile> | Iterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const entries: ZipEntry[] = [];
  let offset = 0;
  for await (const { name, content } of files) {
    const entry = { name, offset, crc: 0, packed: 0, size: 0 };
    const header = localHeader(name);
    yield header;
    for await (const chunk of deflated(content, entry)) {
      yield chunk;
    }
    const descriptor = dataDescriptor(entry);
    yield descriptor;
    offset += header.length + entry.packed + descriptor.length;
    entries.push(entry);
  }
  yield centralDirectory(entries, offset);
}

interface ZipEntry {
  readonly name: string;
  readonly offset: number;
  crc: number;
  packed: number;
  size: number;
}

/** The deflated content; the entry gets its checksum and sizes (bytes) meanwhile. */
async function* deflated(content: ZipFile["content"], entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw({ level: 6 });
  const parts = typeof content === "string" ? [content] : content;
  const writing = (async () => {
    try {
      for await (const part of parts) {
        const bytes = typeof part === "string" ? Buffer.from(part) : part;
        entry.crc = crc32(bytes, entry.crc);
        entry.size += bytes.length;
        if (!deflate.write(bytes)) {
          await new Promise((resolve) => deflate.once("drain", resolve));
        }
      }
      deflate.end();
    } catch (error) {
      deflate.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  })();
  for await (const chunk of deflate) {
    const bytes = chunk as Buffer;
    entry.packed += bytes.length;
    yield bytes;
  }
  await writing;
}

const zipVersion = 20;
/** Sizes and checksum follow the content (bit 3), names are UTF-8 (bit 11). */
const zipFlags = 0b1000_0000_1000;
const deflateMethod = 8;
/** 1 January 1980: the format's first day. */
const zipDate = 0b10_0001;

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

function dataDescriptor({ crc, packed, size }: ZipEntry): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08_07_4b_50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeUInt32LE(packed, 8);
  descriptor.writeUInt32LE(size, 12);
  return descriptor;
}

function centralDirectory(entries: readonly ZipEntry[], offset: number): Buffer {
  const headers = entries.map((entry) => {
    const bytes = Buffer.from(entry.name);
    const header = Buffer.alloc(46);
    header.writeUInt32LE(0x02_01_4b_50, 0);
    header.writeUInt16LE(zipVersion, 4);
    header.writeUInt16LE(zipVersion, 6);
    header.writeUInt16LE(zipFlags, 8);
    header.writeUInt16LE(deflateMethod, 10);
    header.writeUInt16LE(zipDate, 14);
    header.writeUInt32LE(entry.crc, 16);
    header.writeUInt32LE(entry.packed, 20);
    header.writeUInt32LE(entry.size, 24);
    header.writeUInt16LE(bytes.length, 28);
    header.writeUInt32LE(entry.offset, 42);
    return Buffer.concat([header, bytes]);
  });
  const directory = Buffer.concat(headers);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([directory, end]);
}
