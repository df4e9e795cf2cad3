import { createHash } from "node:crypto";
import { thisRelease } from "#server/platform/release.ts";
import { StorageMiss } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { writeArchive } from "../../backup/index.ts";
import type { ArchiveWriter } from "../../backup/index.ts";
import { archiveTables, movedColumns, withoutSecrets } from "./archive-tables.ts";
import { openCompany } from "./archive.queries.ts";

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
  readonly url: string;
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
  const { url, storage, companyId, file, passphrase } = options;
  const snapshot = await openCompany(url, companyId, archiveTables);
  let [rows, files] = [0, 0];
  try {
    const { row, planName } = snapshot.company;
    await writeArchive(file, passphrase, async (archive) => {
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
      const keys = new Set<string>();
      for (const table of snapshot.tables) {
        const kept = new Set(movedColumns(table));
        const lines = snapshot.lines(table, (given) => {
          const plain = Object.fromEntries(Object.entries(given).filter(([name]) => kept.has(name)));
          const taken = withoutSecrets(table.name, plain, passphrase !== undefined);
          if (taken) {
            rows += 1;
            filesOf(taken, companyId).forEach((key) => keys.add(key));
          }
          return taken;
        });
        await archive.addChunks(`tables/${table.name}`, lines);
      }
      for (const key of keys) {
        files += (await addFile(archive, storage, key)) ? 1 : 0;
      }
    });
    return { rows, files };
  } finally {
    await snapshot.close();
  }
}

/** Keys of the storage that a row names. */
function filesOf(row: Readonly<Record<string, unknown>>, companyId: number): string[] {
  return Object.values(row).filter(
    (value): value is string =>
      typeof value === "string" && value.startsWith(`company/${companyId}/`) && value.length <= 512,
  );
}

/** False: the file was deleted meanwhile. */
async function addFile(archive: ArchiveWriter, storage: Storage, key: string): Promise<boolean> {
  const found = await storage.stat(key).catch(() => undefined);
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
