import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Logger } from "pino";
import { ConfigError } from "#server/platform/config/index.ts";
import {
  createScratchDatabase,
  databaseName,
  dropDatabase,
  loadSnapshot,
  migrateToLatest,
  openSnapshot,
  refuseInUse,
  swapDatabases,
} from "#server/platform/db/index.ts";
import type { Layout, TableRows } from "#server/platform/db/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { readArchive } from "./archive.ts";
import type { ArchiveEntry } from "./archive.ts";
import { measure } from "./back-up.ts";
import type { BackupChecks, BackupHead } from "./back-up.ts";

/** A restored database begins an epoch of its own. */
const EPOCH = "epoch";

export interface RestoreOptions {
  readonly file: string;
  readonly passphrase: string | undefined;
  /** Of the server that gets the database, as the owner. */
  readonly url: string;
  readonly log: Logger;
  /** Gets the files; undefined: they are only compared, for a verification. */
  readonly storage: Storage | undefined;
  /** Called before anything is written, with the keys if the archive has them. Throw to refuse. */
  readonly acceptKeys: (fingerprint: string, keys: readonly string[] | undefined) => Promise<void>;
  /** Called when the restored database (its URL) is whole and compared, and the other one still in its place. */
  readonly beforeSwap?: (restored: string) => Promise<void>;
}

export interface Restored {
  readonly head: BackupHead;
  readonly checks: BackupChecks;
  /** Name of the database that was there before. */
  readonly keptDatabase: string;
}

/**
 * Restores a backup into a database of its own, compares every table and all files with the checks of the backup, brings the schema
 * to this release, and only then takes the place of the database of the URL, which is kept under another name. Nothing changes when
 * it fails before, except that files may lie in the storage that the nightly sweep deletes. A file that is there already stays as it is.
 * Throws ConfigError for a file that is no backup, and while anybody is connected to that database: before it begins, in this order, so that
 * nobody stops Prosa for a mistyped name, and the latter again at its end.
 */
export async function restore(options: RestoreOptions, now: Date): Promise<Restored> {
  const { url, log } = options;
  const backup = await openBackup(options);
  try {
    await refuseInUse(url); // the exchange at the end would be refused, which may be hours away
    const scratch = await createScratchDatabase(url, "restore");
    try {
      const checks = await fillFrom(scratch, backup, options);
      await migrateToLatest({ url: scratch, log });
      await options.beforeSwap?.(scratch);
      return { head: backup.head, checks, keptDatabase: await swapDatabases(url, scratch, now) };
    } catch (error) {
      await dropDatabase(scratch);
      throw error;
    }
  } finally {
    await backup.entries.close();
  }
}

/** Restores into a scratch database, compares, and drops it again. Throws when anything differs. */
export async function verifyBackup(
  options: Omit<RestoreOptions, "storage" | "acceptKeys" | "beforeSwap">,
): Promise<BackupChecks> {
  const backup = await openBackup(options);
  try {
    const scratch = await createScratchDatabase(options.url, "verify");
    try {
      return await fillFrom(scratch, backup, { ...options, storage: undefined, acceptKeys: async () => undefined });
    } finally {
      await dropDatabase(scratch);
    }
  } finally {
    await backup.entries.close();
  }
}

/** A backup whose head is read; whoever opens it closes its entries. */
interface OpenBackup {
  readonly head: BackupHead;
  readonly entries: Entries;
}

async function openBackup({ file, passphrase }: Pick<RestoreOptions, "file" | "passphrase">): Promise<OpenBackup> {
  const entries = entriesOf(readArchive(file, passphrase));
  try {
    return { head: await readHead(entries), entries };
  } catch (error) {
    await entries.close();
    throw error;
  }
}

async function fillFrom(
  scratch: string,
  { head, entries }: OpenBackup,
  { log, storage, acceptKeys }: RestoreOptions,
): Promise<BackupChecks> {
  const added: string[] = [];
  try {
    const keys = await entries.jsonIf<readonly string[]>("secret-keys.json");
    await acceptKeys(head.keyFingerprint, keys);

    log.info({ database: databaseName(scratch) }, "restoring the backup into a scratch database");
    await migrateToLatest({ url: scratch, log, upTo: head.layout.migrations.at(-1) ?? "", isScratch: true });
    await loadSnapshot(scratch, head.layout, tablesFrom(entries, head.layout));
    const files = await readFiles(entries, storage, added);
    const checks = await entries.jsonIf<BackupChecks>("checks.json");
    if (!checks) {
      throw new Error("The backup ends too early");
    }
    await compareTables(scratch, checks);
    if (files.sha256 !== checks.files.sha256 || files.count !== checks.files.count) {
      throw new Error(
        `The files of the backup are not those that were put in: ${files.count} of ${checks.files.count}`,
      );
    }
    return checks;
  } catch (error) {
    // One of them may be the damaged one, and a restore leaves alone what is there.
    for (const key of added) {
      await storage?.delete(key).catch((trouble: unknown) => log.warn({ err: trouble, key }, "file not removed again"));
    }
    throw error;
  }
}

async function readHead(entries: Entries): Promise<BackupHead> {
  const head = await entries.jsonIf<BackupHead>("backup.json").catch((error: unknown) => {
    if (error instanceof ConfigError) {
      throw error;
    }
    throw new ConfigError("This file is not a backup of Prosa", { cause: error });
  });
  if (head?.format !== 1) {
    throw new ConfigError("This file is not a backup of Prosa, or one of a later release");
  }
  return head;
}

async function* tablesFrom(entries: Entries, { tables }: Layout): AsyncGenerator<TableRows> {
  for (const table of tables) {
    yield { table, rows: Readable.from(chunksOf(entries, `tables/${table.name}/`)) };
  }
}

async function* chunksOf(entries: Entries, prefix: string): AsyncGenerator<Uint8Array> {
  for (let entry = await entries.takeIf(prefix); entry; entry = await entries.takeIf(prefix)) {
    yield* entry.body as AsyncIterable<Uint8Array>;
  }
}

/** `added`: gets the keys of the files that were not in the storage. */
async function readFiles(
  entries: Entries,
  storage: Storage | undefined,
  added: string[],
): Promise<BackupChecks["files"]> {
  const all = createHash("sha256");
  let [count, bytes] = [0, 0];
  for (let entry = await entries.takeIf("files/"); entry; entry = await entries.takeIf("files/")) {
    const key = entry.name.slice("files/".length);
    const found = await storage?.stat(key);
    const measured = measure(entry.body);
    if (storage && found?.size !== entry.size) {
      if (!found) {
        added.push(key);
      }
      await storage.put(key, measured.body, { contentType: "application/octet-stream", isHuge: true });
    } else {
      // Files never change: what is there is this one, and the archive may be damaged.
      await drain(measured.body);
    }
    const result = measured.result();
    all.update(`${key} ${result.sha256}\n`);
    count += 1;
    bytes += result.bytes;
  }
  return { count, bytes, sha256: all.digest("hex") };
}

/** Reads the restored rows again, in the order in which they came. */
async function compareTables(url: string, { tables }: BackupChecks): Promise<void> {
  const snapshot = await openSnapshot(url);
  try {
    for (const table of snapshot.layout.tables.filter(({ name }) => name !== EPOCH)) {
      const measured = measure(snapshot.copyOut(table));
      await drain(measured.body);
      const { sha256 } = measured.result();
      if (sha256 !== tables[table.name]?.sha256) {
        throw new Error(`The table ${table.name} is not as it was put into the backup`);
      }
    }
  } finally {
    await snapshot.close();
  }
}

/** Reads to the end: only what was measured on the way counts. */
async function drain(body: Readable): Promise<void> {
  await finished(body.resume());
}

interface Entries {
  /** The next entry if its name begins so. */
  takeIf(prefix: string): Promise<ArchiveEntry | undefined>;
  jsonIf<T>(name: string): Promise<T | undefined>;
  close(): Promise<void>;
}

function entriesOf(archive: AsyncGenerator<ArchiveEntry>): Entries {
  let next: ArchiveEntry | undefined;
  let hasEnded = false;

  async function takeIf(prefix: string): Promise<ArchiveEntry | undefined> {
    if (!next && !hasEnded) {
      const { value, done } = await archive.next();
      hasEnded = done === true;
      next = done ? undefined : value;
    }
    const found = next?.name.startsWith(prefix) ? next : undefined;
    next = found ? undefined : next;
    return found;
  }

  return {
    takeIf,
    async jsonIf<T>(name: string) {
      const entry = await takeIf(name);
      if (!entry) {
        return undefined;
      }
      const pieces = (await entry.body.toArray()) as Buffer[];
      return JSON.parse(Buffer.concat(pieces).toString("utf8")) as T;
    },
    async close() {
      await archive.return(undefined);
    },
  };
}
