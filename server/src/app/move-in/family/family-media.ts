import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { sniffType } from "#server/platform/http/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { shortFileName, storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { note } from "../report.ts";
import type { MoveReport } from "../report.ts";
import { textOf } from "../values.ts";

export interface CopiedFile {
  readonly key: string;
  readonly name: string;
  /** Detected by its bytes. */
  readonly type: string;
  readonly size: number;
}

/** The files of the source's public folder. */
export interface FamilyMedia {
  /**
   * Stores a file under a key that follows from `identity`, so that a run that was killed leaves no second one. Undefined: the row names
   * none, it is missing, or it is of a kind that is refused; the last two are counted.
   */
  copy(
    companyId: number,
    folder: string,
    identity: string,
    path: unknown,
    name?: unknown,
  ): Promise<CopiedFile | undefined>;
}

export interface MediaOptions {
  /** The folder named `public` of the source; undefined: no files are taken. */
  readonly folder: string | undefined;
  readonly storage: Storage;
  readonly report: MoveReport;
  readonly fingerprint: string;
  readonly isDry: boolean;
}

export function createFamilyMedia({ folder, storage, report, fingerprint, isDry }: MediaOptions): FamilyMedia {
  const root = folder === undefined ? undefined : resolve(folder);

  /** Versions keep files flat, by company, or by contact below it. */
  async function find(path: string, companyId: number): Promise<{ file: string; size: number } | undefined> {
    const name = basename(path);
    const places = [path, join(`company${companyId}`, path), join(`company${companyId}`, name), name];
    for (const place of places) {
      const file = resolve(root ?? "", place);
      // A path that climbs out of the folder is nobody's file.
      if (root !== undefined && file.startsWith(root + sep)) {
        const found = await stat(file).catch(() => undefined);
        if (found?.isFile()) {
          return { file, size: found.size };
        }
      }
    }
    return undefined;
  }

  return {
    async copy(companyId, target, identity, path, name) {
      const given = pathOf(textOf(path));
      if (given === "" || root === undefined) {
        return undefined;
      }
      const found = await find(given, companyId);
      if (!found || found.size === 0) {
        note(report, "files that the source names are not in the folder");
        return undefined;
      }
      const fileName = shortFileName(basename(textOf(name) || given));
      try {
        const type = await sniffType(found.file, fileName);
        const digest = createHash("sha256").update(`${fingerprint}\0${identity}`).digest("hex").slice(0, 32);
        const key = storageKey(companyId, target, `moved-${digest}`);
        if (!isDry && (await storage.stat(key))?.size !== found.size) {
          await storage.put(key, createReadStream(found.file), { contentType: type });
        }
        return { key, name: fileName, type, size: found.size };
      } catch (error) {
        if (error instanceof AppError) {
          note(report, "files of a kind that is refused here, programs and pages with script, were left out");
          return undefined;
        }
        throw error;
      }
    },
  };
}

/** A path below the folder: some versions save the address that the file has in the browser. Pure. */
function pathOf(value: string): string {
  const path = value.replace(/^https?:\/\/[^/]+\//u, "").replace(/^\/?public\//u, "");
  try {
    return decodeURIComponent(path.split("?")[0] ?? "");
  } catch {
    return path;
  }
}
