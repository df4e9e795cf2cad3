import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { extract, pack } from "tar-stream";
import { ConfigError } from "#server/platform/config/index.ts";

/** Bytes of an entry of unknown length, which tar does not have: its bytes come in entries of this size at most. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Adds to an archive, one thing after the other. */
export interface ArchiveWriter {
  /** A file of known length. */
  add(name: string, size: number, body: Readable): Promise<void>;
  addJson(name: string, value: unknown): Promise<void>;
  /** `{name}/000000`, `{name}/000001` …: together the bytes of the stream. */
  addChunks(name: string, body: Readable): Promise<void>;
}

export interface ArchiveEntry {
  readonly name: string;
  readonly body: Readable;
}

/**
 * Writes a compressed tar, encrypted where there is a passphrase (age, so that its own tool opens it too). The file has its name
 * only when it is whole and on the disk.
 */
export async function writeArchive(
  file: string,
  passphrase: string | undefined,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const tar = pack();
  const compressed = Readable.from(tar).pipe(createZstdCompress());
  const incoming = `${file}.incomplete`;
  const sink = createWriteStream(incoming, { mode: 0o600 });
  // An error of one part ends the others.
  const written = writeThrough(compressed, passphrase, sink).catch((error: unknown) => {
    // Otherwise whoever fills the archive would wait for ever for the disk to take more.
    tar.destroy(error as Error);
    throw error;
  });
  const filled = (async () => {
    try {
      await fill(writerOf(tar));
      tar.finalize();
    } catch (error) {
      tar.destroy();
      compressed.destroy(error as Error);
      throw error;
    }
  })();
  try {
    await Promise.all([filled, written]);
    const handle = await open(incoming, "r+");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(incoming, file);
  } catch (error) {
    await Promise.allSettled([filled, written]);
    await rm(incoming, { force: true });
    throw error;
  }
}

async function writeThrough(source: Readable, passphrase: string | undefined, sink: Writable): Promise<void> {
  if (passphrase === undefined) {
    await pipeline(source, sink);
    return;
  }
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  await pipeline(Readable.fromWeb((await encrypter.encrypt(webOf(source))) as ReadableStream), sink);
}

/** The same as a stream, not encrypted, for a storage. It ends with an error where `fill` does; whoever destroys it ends `fill`. */
export function archiveStream(fill: (archive: ArchiveWriter) => Promise<void>): Readable {
  const tar = pack();
  const compressed = createZstdCompress();
  pipeline(Readable.from(tar), compressed).catch((error: unknown) => tar.destroy(error as Error));
  void fill(writerOf(tar)).then(
    () => tar.finalize(),
    (error: unknown) => {
      tar.destroy(error as Error);
      compressed.destroy(error as Error);
    },
  );
  return compressed;
}

/** Reads the entries in their order; each body is read before the next entry comes. Throws ConfigError for a wrong passphrase. */
export async function* readArchive(file: string, passphrase: string | undefined): AsyncGenerator<ArchiveEntry> {
  const source = createReadStream(file);
  const plain = isEncrypted(file) ? await decrypted(source, passphrase) : source;
  const entries = extract();
  const flowing = pipeline(plain, createZstdDecompress(), entries);
  flowing.catch(() => undefined);
  for await (const entry of entries) {
    yield { name: entry.header.name, body: Readable.from(entry) };
  }
  await flowing;
}

export function isEncrypted(file: string): boolean {
  return file.endsWith(".age");
}

async function decrypted(source: Readable, passphrase: string | undefined): Promise<Readable> {
  if (passphrase === undefined) {
    throw new ConfigError("BACKUP_PASSPHRASE: not set, and this backup is encrypted");
  }
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return Readable.fromWeb((await decrypter.decrypt(webOf(source))) as ReadableStream);
  } catch (error) {
    throw new ConfigError("BACKUP_PASSPHRASE: it does not open this backup", { cause: error });
  }
}

function webOf(source: Readable): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(source) as unknown as globalThis.ReadableStream<Uint8Array>;
}

function writerOf(tar: ReturnType<typeof pack>): ArchiveWriter {
  const add: ArchiveWriter["add"] = (name, size, body) =>
    pipeline(body, tar.entry({ name, size }) as unknown as Writable);
  const addBytes = (name: string, bytes: Buffer) => add(name, bytes.length, Readable.from([bytes]));
  return {
    add,
    addJson: (name, value) => addBytes(name, Buffer.from(JSON.stringify(value))),
    async addChunks(name, body) {
      let part = 0;
      const save = (bytes: Buffer) => addBytes(`${name}/${String(part++).padStart(6, "0")}`, bytes);
      let waiting: Buffer[] = [];
      let size = 0;
      for await (const piece of body as AsyncIterable<Buffer>) {
        waiting.push(piece);
        size += piece.length;
        if (size >= CHUNK_BYTES) {
          await save(Buffer.concat(waiting));
          [waiting, size] = [[], 0];
        }
      }
      if (size > 0) {
        await save(Buffer.concat(waiting));
      }
    },
  };
}
