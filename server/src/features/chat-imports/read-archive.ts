import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { readFile, stat } from "node:fs/promises";
import { open } from "yauzl";
import type { Entry, ZipFile } from "yauzl";
import { storableText } from "#server/platform/storable-text.ts";

/** An exported chat: its text, and the files beside it. */
export interface ChatArchive {
  /** Read whole: only in a thread of its own. */
  readText(): Promise<string>;
  /** Names of the files, without folders. */
  readonly names: ReadonlySet<string>;
  /** Undefined where there is none of this name, or it is larger than a file may be. */
  read(name: string): Promise<Readable | undefined>;
  close(): void;
}

export class ArchiveError extends Error {
  readonly failure: "unreadable" | "tooLarge";
  constructor(failure: "unreadable" | "tooLarge", options?: ErrorOptions) {
    super(failure, options);
    this.failure = failure;
  }
}

/** WhatsApp exports at most 40,000 messages, which have a quarter of it. It is read at once, so it must not be long. */
const maxTextBytes = 16_000_000;
/** Of all files of an archive: WhatsApp's own ones have less than two gigabytes. */
const maxAllBytes = 2_200_000_000;
/** WhatsApp's own limit of a file is two gigabytes; one that swells to more than this is none of a chat's. */
const maxFileBytes = 512 * 1024 * 1024;
const maxEntries = 100_000;

/** Opens a .zip or the .txt alone. Throws ArchiveError. Sizes are checked while an entry is read: a zip bomb fails there. */
export async function openChatArchive(path: string, contentType: string): Promise<ChatArchive> {
  if (contentType !== "application/zip") {
    if ((await stat(path)).size > maxTextBytes) {
      throw new ArchiveError("tooLarge");
    }
    return {
      readText: async () => storableText(await readFile(path, "utf8")),
      names: new Set(),
      read: async () => undefined,
      close: () => undefined,
    };
  }
  try {
    const zip = await openZip(path);
    const entries = await readEntries(zip);
    const chat = entries.get("_chat.txt") ?? [...entries.values()].find(({ fileName }) => /\.txt$/iu.test(fileName));
    if (!chat) {
      throw new ArchiveError("unreadable");
    }
    if (chat.uncompressedSize > maxTextBytes) {
      throw new ArchiveError("tooLarge");
    }
    entries.delete(nameOf(chat));
    return {
      readText: async () => storableText((await buffer(await openEntry(zip, chat))).toString("utf8")),
      names: new Set(entries.keys()),
      async read(name) {
        const entry = entries.get(name);
        return entry && entry.uncompressedSize <= maxFileBytes ? openEntry(zip, entry) : undefined;
      },
      close: () => zip.close(),
    };
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError("unreadable", { cause: error });
  }
}

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    );
  });
}

function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    let bytes = 0;
    zip.on("error", reject);
    zip.on("end", () => resolve(entries));
    zip.on("entry", (entry: Entry) => {
      const name = nameOf(entry);
      if (name !== "") {
        entries.set(name, entry);
      }
      bytes += entry.uncompressedSize;
      if (entries.size > maxEntries || bytes > maxAllBytes) {
        reject(new ArchiveError("tooLarge"));
      } else {
        zip.readEntry();
      }
    });
    zip.readEntry();
  });
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}

function nameOf({ fileName }: Entry): string {
  return fileName.slice(fileName.lastIndexOf("/") + 1).normalize("NFC");
}
