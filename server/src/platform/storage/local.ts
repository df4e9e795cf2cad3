import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StorageMiss, checkedKey, isKey, storageKey } from "./storage.ts";
import type { KeptFile, Storage } from "./storage.ts";

/** Storage in a folder. A file is renamed to its key after fsync, so that a crash leaves no partial file. */
export function createLocalStorage(folder: string): Storage {
  const pathOf = (key: string) => join(folder, checkedKey(key));

  async function find(key: string): Promise<KeptFile | undefined> {
    try {
      const found = await stat(pathOf(key));
      return found.isFile() ? { size: found.size, storedAt: found.mtime } : undefined;
    } catch (error) {
      if (isMissing(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /** A random id stored in the folder, which is the same when it is mounted at another path. */
  async function identity(): Promise<string> {
    const file = join(folder, ".place");
    await mkdir(folder, { recursive: true });
    await writeFile(file, randomUUID(), { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") {
        throw error;
      }
    });
    return `folder ${await readFile(file, "utf8")}`;
  }

  return {
    stat: find,
    async put(key, body) {
      const path = pathOf(key);
      const incoming = join(folder, "incoming", randomUUID());
      await Promise.all([mkdir(dirname(path), { recursive: true }), mkdir(dirname(incoming), { recursive: true })]);
      try {
        await pipeline(
          body instanceof Readable ? body : Readable.from([body]),
          createWriteStream(incoming, { mode: 0o640 }),
        );
        await syncToDisk(incoming);
        const { size } = await stat(incoming);
        await rename(incoming, path);
        return { size };
      } catch (error) {
        await rm(incoming, { force: true });
        throw error;
      }
    },
    async get(key, range) {
      if ((await find(key)) === undefined) {
        throw new StorageMiss(key);
      }
      return createReadStream(pathOf(key), range);
    },
    async *list(companyId, name) {
      for await (const file of entriesOf(join(folder, "company", String(companyId), name))) {
        // Files with other names are not ours.
        if (isKey(`company/${companyId}/${name}/${file}`)) {
          yield storageKey(companyId, name, file);
        }
      }
    },
    async *listAll() {
      for await (const path of filesBelow(join(folder, "company"))) {
        const key = relative(folder, path).split(sep).join("/");
        if (isKey(key)) {
          yield key;
        }
      }
    },
    async deleteStaleUploads(before) {
      const incoming = join(folder, "incoming");
      for await (const file of entriesOf(incoming)) {
        const path = join(incoming, file);
        const found = await stat(path).catch(() => undefined);
        if (found && found.mtime < before) {
          await rm(path, { force: true });
        }
      }
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    identity,
    // Creates the folder and writes into it.
    check: () => identity().then(() => undefined),
    deleteCompany: (companyId) => rm(join(folder, "company", String(companyId)), { recursive: true, force: true }),
    async close() {},
  };
}

/** Iterates over the files of a folder, of which there may be a million. Empty when the folder does not exist. */
async function* entriesOf(path: string): AsyncIterable<string> {
  try {
    for await (const entry of await opendir(path)) {
      if (entry.isFile()) {
        yield entry.name;
      }
    }
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
  }
}

/** Iterates over the files of a folder and of those in it. */
async function* filesBelow(path: string): AsyncIterable<string> {
  try {
    for await (const entry of await opendir(path, { recursive: true })) {
      if (entry.isFile()) {
        yield join(entry.parentPath, entry.name);
      }
    }
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
  }
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
