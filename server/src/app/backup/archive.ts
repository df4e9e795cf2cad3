import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { extract, pack } from "tar-stream";
import { ConfigError } from "#server/platform/config/index.ts";

/** Bytes of an entry of unknown length, which tar does not have: its bytes come in entries of this size at most. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const INCOMPLETE = ".incomplete";
/** A flipped bit is found where it is, and not only where the contents are compared. */
const ZSTD = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

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
  /** Bytes of the body. */
  readonly size: number;
  readonly body: Readable;
}

/**
 * Writes a compressed tar, encrypted where there is a passphrase (age, so that its own tool opens it too). The file has its name
 * only when it is whole, on the disk, and `check`, which reads it under another name, has let it pass.
 */
export async function writeArchive(
  file: string,
  passphrase: string | undefined,
  fill: (archive: ArchiveWriter) => Promise<void>,
  check?: (file: string) => Promise<void>,
): Promise<void> {
  const tar = pack();
  const compressed = createZstdCompress(ZSTD);
  // Whoever reads `compressed` hears of it.
  pipeline(Readable.from(tar), compressed).catch(() => undefined);
  const incoming = `${file}${INCOMPLETE}`;
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
    await check?.(incoming);
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
  const compressed = createZstdCompress(ZSTD);
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

/**
 * Reads the entries in their order; each body is read before the next entry comes. Throws ConfigError for a wrong passphrase, and for a
 * file that cannot be opened.
 */
export async function* readArchive(file: string, passphrase: string | undefined): AsyncGenerator<ArchiveEntry> {
  const source = await openSource(file);
  const plain = isEncrypted(file) ? await decrypted(source, passphrase) : source;
  const entries = extract();
  const flowing = pipeline(plain, createZstdDecompress(), entries);
  flowing.catch(() => undefined);
  for await (const entry of entries) {
    yield { name: entry.header.name, size: entry.header.size ?? 0, body: Readable.from(entry) };
  }
  await flowing;
}

/** Before anything is said about its contents: a mistyped name is no wrong passphrase. */
async function openSource(file: string): Promise<Readable> {
  const handle = await open(file).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === "ENOENT" ? "there is no such file" : cause.message;
    throw new ConfigError(`${resolve(file)}: ${reason}`, { cause });
  });
  if ((await handle.stat()).isDirectory()) {
    await handle.close();
    throw new ConfigError(`${resolve(file)}: this is a folder`);
  }
  return handle.createReadStream();
}

function isEncrypted(file: string): boolean {
  return (file.endsWith(INCOMPLETE) ? file.slice(0, -INCOMPLETE.length) : file).endsWith(".age");
}

async function decrypted(source: Readable, passphrase: string | undefined): Promise<Readable> {
  if (passphrase === undefined) {
    source.destroy();
    throw new ConfigError("BACKUP_PASSPHRASE: not set, and this backup is encrypted");
  }
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return Readable.fromWeb((await decrypter.decrypt(webOf(source))) as ReadableStream);
  } catch (error) {
    source.destroy();
    throw source.errored ?? new ConfigError("BACKUP_PASSPHRASE: it does not open this backup", { cause: error });
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
