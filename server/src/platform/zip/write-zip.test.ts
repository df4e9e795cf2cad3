import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { fromBuffer } from "yauzl";
import type { Entry, ZipFile } from "yauzl";
import { writeZip } from "./index.ts";

test("an archive of more than 65,535 files is read by others to its last file, and a small one has no ZIP64 fields", async () => {
  const count = 65_600;
  const files = Array.from({ length: count }, (_, n) => ({ name: `mensagens/olá-${n}.txt`, content: `mensagem ${n}` }));
  const { names, last } = await read(await buffer(Readable.from(writeZip(files))));
  expect(names).toHaveLength(count);
  expect([names.at(-1), last]).toEqual([`mensagens/olá-${count - 1}.txt`, `mensagem ${count - 1}`]);

  const small = await buffer(Readable.from(writeZip(files.slice(0, 2))));
  expect(small.includes(Buffer.from([0x50, 0x4b, 0x06, 0x06]))).toBe(false);
  expect((await read(small)).names).toHaveLength(2);
});

test("a reader that goes away amid a large file ends the source of that file, and of the archive", async () => {
  let hasEnded = false;
  async function* endless() {
    try {
      for (;;) {
        yield randomBytes(64 * 1024);
      }
    } finally {
      hasEnded = true;
    }
  }
  const archive = writeZip([{ name: "grande.bin", content: endless() }]);
  await archive.next();
  await archive.next();
  await archive.return(undefined);
  expect(hasEnded).toBe(true);
});

/** The names in their order, and the content of the last file. */
async function read(archive: Buffer): Promise<{ names: string[]; last: string }> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(archive, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const entries: Entry[] = [];
  await new Promise<void>((resolve, reject) => {
    zip.on("entry", (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on("end", resolve);
    zip.on("error", reject);
    zip.readEntry();
  });
  const content = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entries.at(-1)!, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
  return { names: entries.map(({ fileName }) => fileName), last: (await buffer(content)).toString("utf8") };
}
