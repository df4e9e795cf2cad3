import { createHash } from "node:crypto";
import type { WriteCompany } from "#server/features/company-exports/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import { thisRelease } from "#server/platform/release.ts";
import { isKey, StorageMiss } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { archiveStream, writeArchive } from "../../backup/index.ts";
import type { ArchiveWriter } from "../../backup/index.ts";
import { archiveTables, movedColumns, withoutSecrets } from "./archive-tables.ts";
import { openCompany } from "./archive.queries.ts";
import type { CompanySnapshot } from "./archive.queries.ts";

/** The first entry of an archive. */
export interface CompanyManifest {
  readonly format: 1;
  readonly release: string;
  readonly createdAt: string;
  /** The company's id where it was exported. */
  readonly companyId: number;
  /** Tells the same company again, from whichever archive of it. */
  readonly origin: string;
  readonly company: Readonly<Record<string, unknown>>;
  readonly planName: string | null;
  /** In the order of the archive. */
  readonly tables: readonly string[];
}

export interface CompanyExport {
  readonly db: Db;
  readonly storage: Storage;
  readonly companyId: number;
  readonly file: string;
  readonly passphrase: string | undefined;
}

/**
 * Writes everything of a company into one archive: `company.json`, `tables/{name}/…` as JSON lines, and `files/…`. Secrets stay here, as
 * nobody else has the key: lines are paired, assistants get their keys again. Passwords leave as hashes where the archive is encrypted.
 * Returns how many rows and files it holds. Throws ConfigError without such a company.
 */
export async function exportCompany(options: CompanyExport): Promise<{ rows: number; files: number }> {
  const { db, storage, companyId, file, passphrase } = options;
  let [rows, files] = [0, 0];
  const snapshot = await openCompany(db, companyId, archiveTables);
  await writeArchive(file, passphrase, (archive) =>
    fill(archive, {
      ...{ snapshot, storage, companyId },
      isEncrypted: passphrase !== undefined,
      onRow: () => (rows += 1),
      onFile: () => (files += 1),
    }),
  );
  return { rows, files };
}

/**
 * The same as a stream, for a company's own administrators: not encrypted, so without passwords. Errors of the database and of the
 * storage end the stream.
 */
export const streamCompany: WriteCompany = ({ services: { db, storage }, companyId, onPlan, onThing }) =>
  archiveStream(async (archive) => {
    const snapshot = await openCompany(db, companyId, archiveTables);
    const measured = snapshot.measure().then(({ rows, files, bytes }) => onPlan({ things: rows + files, bytes }));
    await measured.catch(async (error: unknown) => {
      await snapshot.close();
      throw error;
    });
    await fill(archive, {
      ...{ snapshot, storage, companyId },
      isEncrypted: false,
      onRow: onThing,
      onFile: onThing,
    });
  });

interface Filling {
  readonly snapshot: CompanySnapshot;
  readonly storage: Storage;
  readonly companyId: number;
  readonly isEncrypted: boolean;
  readonly onRow: () => void;
  readonly onFile: () => void;
}

/** Writes the rows, then the files that they name; the snapshot is closed before the files, which never change. */
async function fill(
  archive: ArchiveWriter,
  { snapshot, storage, companyId, isEncrypted, onRow, onFile }: Filling,
): Promise<void> {
  const keys = new Set<string>();
  try {
    const { row, planName } = snapshot.company;
    const { token: _token, token_hash: _hash, plan_id: _plan, ...company } = row;
    await archive.addJson("company.json", {
      format: 1,
      release: thisRelease.version,
      createdAt: new Date().toISOString(),
      companyId,
      origin: createHash("sha256")
        .update(`${companyId} ${String(row["created_at"])}`)
        .digest("hex")
        .slice(0, 32),
      company,
      planName,
      tables: archiveTables,
    } satisfies CompanyManifest);
    for (const table of snapshot.tables) {
      const kept = new Set(movedColumns(table));
      const lines = snapshot.lines(table, (given) => {
        const plain = Object.fromEntries(Object.entries(given).filter(([name]) => kept.has(name)));
        const taken = withoutSecrets(table.name, plain, isEncrypted);
        if (taken) {
          onRow();
          filesOf(taken, companyId).forEach((key) => keys.add(key));
        }
        return taken;
      });
      await archive.addChunks(`tables/${table.name}`, lines);
    }
  } finally {
    await snapshot.close();
  }
  for (const key of keys) {
    if (await addFile(archive, storage, key)) {
      onFile();
    }
  }
}

/** Keys of the storage that a row names. */
function filesOf(row: Readonly<Record<string, unknown>>, companyId: number): string[] {
  return Object.values(row).filter(
    (value): value is string =>
      typeof value === "string" && value.startsWith(`company/${companyId}/`) && value.length <= 512,
  );
}

/** False: the file was deleted meanwhile, or it is a text that begins like a key. A fault of the storage ends the archive. */
async function addFile(archive: ArchiveWriter, storage: Storage, key: string): Promise<boolean> {
  const found = isFileKey(key) ? await storage.stat(key) : undefined;
  if (!found) {
    return false;
  }
  try {
    await archive.add(`files/${key}`, found.size, await storage.get(key));
    return true;
  } catch (error) {
    if (error instanceof StorageMiss) {
      return false;
    }
    throw error;
  }
}

/** A disk refuses longer names: a text with one would end each archive. */
function isFileKey(text: string): boolean {
  return isKey(text) && text.split("/").every((part) => part.length <= 255);
}
