import { createHash } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import type { Readable } from "node:stream";
import { archiveFolder as companyArchives } from "#server/features/company-exports/index.ts";
import { makeFolder, requireWritable } from "#server/platform/config/index.ts";
import { openSnapshot } from "#server/platform/db/index.ts";
import type { Layout, Snapshot } from "#server/platform/db/index.ts";
import { thisRelease } from "#server/platform/release.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { StorageMiss } from "#server/platform/storage/index.ts";
import { writeArchive } from "./archive.ts";
import type { ArchiveWriter } from "./archive.ts";
import { fingerprintOf } from "./keys.ts";

/** The first entry: what a restore must know before the rows come. */
export interface BackupHead {
  readonly format: 1;
  readonly createdAt: string;
  readonly release: string;
  /** Of the key that secrets are encrypted with. */
  readonly keyFingerprint: string;
  readonly layout: Layout;
}

/** The last entry: what must have come. */
export interface BackupChecks {
  /** Length and SHA-256 of the rows of each table, as COPY writes them. */
  readonly tables: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
  /** `sha256` runs over the names and the hashes of all files, in the order of the archive. */
  readonly files: { readonly count: number; readonly bytes: number; readonly sha256: string };
}

export interface BackupSource {
  /** As the owner of the tables. */
  readonly url: string;
  readonly storage: Storage;
  /** Current one first. */
  readonly keys: readonly string[];
  readonly passphrase: string | undefined;
}

export interface Backup {
  readonly file: string;
  /** Of the archive. */
  readonly bytes: number;
  readonly checks: BackupChecks;
}

const NAME = /^prosa-\d{8}-\d{6}\.tar\.zst(\.age)?$/u;

/**
 * Writes everything of an installation into one file of the folder, while it runs: all rows as of one moment, then the files, which
 * never change. The secret key goes along only where the archive is encrypted. What `check` throws at has no name by which backups are
 * counted. Throws ConfigError where the folder cannot be made or written to.
 */
export async function backUp(
  source: BackupSource,
  folder: string,
  now: Date,
  check?: (file: string) => Promise<void>,
): Promise<Backup> {
  await prepareFolder(folder);
  const file = join(folder, `${nameAt(now)}.tar.zst${source.passphrase === undefined ? "" : ".age"}`);
  const snapshot = await openSnapshot(source.url);
  let checks: BackupChecks | undefined;
  const fillAndClose = async (archive: ArchiveWriter) => {
    try {
      checks = await fill(archive, source, snapshot, now);
    } finally {
      // Not held open during the check: dead rows could not be removed for as long.
      await snapshot.close();
    }
  };
  await writeArchive(file, source.passphrase, fillAndClose, check);
  const { size } = await stat(file);
  return { file, bytes: size, checks: checks! };
}

async function prepareFolder(folder: string): Promise<void> {
  await makeFolder("Folder of backups", folder, 0o700);
  await requireWritable("Folder of backups", folder);
}

/** The beginning of the names of backups of this moment: names sort by time. */
function nameAt(moment: Date): string {
  return `prosa-${moment.toISOString().replaceAll(/[-:]/gu, "").replace("T", "-").slice(0, 15)}`;
}

export function isBackupName(name: string): boolean {
  return NAME.test(name);
}

/** The names of the folder's whole backups, the oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => NAME.test(name)).toSorted();
}

/** The folder's newest whole backup, if it is of this moment or later. Throws ConfigError where the folder cannot be made or written to. */
export async function findBackupSince(folder: string, since: Date): Promise<string | undefined> {
  await prepareFolder(folder);
  const newest = (await listBackups(folder)).at(-1);
  return newest !== undefined && newest >= nameAt(since) ? join(folder, newest) : undefined;
}

/** Deletes all but the newest backups of the folder. Files of other names are not ours. Returns how many were deleted. */
export async function deleteOldBackups(folder: string, keep: number): Promise<number> {
  const ours = await listBackups(folder);
  const old = ours.slice(0, Math.max(0, ours.length - keep));
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
  await deleteIncomplete(folder);
  return old.length;
}

/** Those of processes that were killed: nobody writes for a day. */
async function deleteIncomplete(folder: string): Promise<void> {
  const ending = ".incomplete";
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith(ending) && NAME.test(name.slice(0, -ending.length))) {
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > 86_400_000) {
        await rm(path, { force: true });
      }
    }
  }
}

async function fill(
  archive: ArchiveWriter,
  { storage, keys, passphrase }: BackupSource,
  snapshot: Snapshot,
  now: Date,
): Promise<BackupChecks> {
  const [key = ""] = keys;
  await archive.addJson("backup.json", {
    format: 1,
    createdAt: now.toISOString(),
    release: thisRelease.version,
    keyFingerprint: fingerprintOf(key),
    layout: snapshot.layout,
  } satisfies BackupHead);
  if (passphrase !== undefined) {
    await archive.addJson("secret-keys.json", keys);
  }
  const tables: Record<string, { bytes: number; sha256: string }> = {};
  for (const table of snapshot.layout.tables) {
    const measured = measure(snapshot.copyOut(table));
    await archive.addChunks(`tables/${table.name}`, measured.body);
    tables[table.name] = measured.result();
  }
  const checks = { tables, files: await addFiles(archive, storage) };
  await archive.addJson("checks.json", checks);
  return checks;
}

async function addFiles(archive: ArchiveWriter, storage: Storage): Promise<BackupChecks["files"]> {
  const all = createHash("sha256");
  let [count, bytes] = [0, 0];
  for await (const key of storage.listAll()) {
    if (key.split("/")[2] === companyArchives) {
      // As large as everything else of its company, and gone in days.
      continue;
    }
    const body = await openFile(storage, key);
    if (body) {
      const measured = measure(body.stream);
      await archive.add(`files/${key}`, body.size, measured.body);
      all.update(`${key} ${measured.result().sha256}\n`);
      count += 1;
      bytes += body.size;
    }
  }
  return { count, bytes, sha256: all.digest("hex") };
}

/** Undefined: the file was deleted since it was listed. */
async function openFile(storage: Storage, key: string): Promise<{ size: number; stream: Readable } | undefined> {
  const found = await storage.stat(key);
  if (!found) {
    return undefined;
  }
  try {
    return { size: found.size, stream: await storage.get(key) };
  } catch (error) {
    if (error instanceof StorageMiss) {
      return undefined;
    }
    throw error;
  }
}

/** The stream itself, and what has passed once it has ended. */
export function measure(body: Readable): { body: Readable; result(): { bytes: number; sha256: string } } {
  const hash = createHash("sha256");
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  body.on("error", (error) => meter.destroy(error));
  return { body: body.pipe(meter), result: () => ({ bytes, sha256: hash.digest("hex") }) };
}
