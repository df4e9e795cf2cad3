import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { opendir, stat } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import PQueue from "p-queue";
import { ConfigError } from "#server/platform/config/index.ts";
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

/** By their identities. */
export type CopiedFiles = ReadonlyMap<string, CopiedFile>;

/** A file as a row of the source names it. */
export interface NamedFile {
  /** What the key of the stored file follows from, so that a run that was killed leaves no second one. */
  readonly identity: string;
  readonly path: unknown;
  readonly name?: unknown;
}

/** Whose files they are: its id here and in the source; null where that knows no companies. */
export interface FileOwner {
  readonly companyId: number;
  readonly oldCompanyId: number | null;
}

/** The files of the source's public folder. */
export interface FamilyMedia {
  /**
   * Stores files, some at a time. Not within a transaction. Those are missing of which the row names none, which are not there, cannot be
   * opened, or are of a kind that is refused; the last three are counted. Throws ConfigError where the folder itself is gone.
   */
  copy(owner: FileOwner, folder: string, files: readonly NamedFile[]): Promise<CopiedFiles>;
}

/** Files that are read and stored at a time. */
const FILES_AT_ONCE = 8;

export interface MediaOptions {
  /** The folder named `public` of the source; undefined: no files are taken. */
  readonly folder: string | undefined;
  readonly storage: Storage;
  readonly report: MoveReport;
  readonly fingerprint: string;
  readonly isDry: boolean;
}

/** No such file, or no name that a file can have. */
const missing = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "EINVAL", "ERR_INVALID_ARG_VALUE"]);
/** Of one file: its rights, a link to itself, a bad block. */
const unreadable = new Set(["EACCES", "EPERM", "ELOOP", "EIO"]);

/** Throws ConfigError for a folder that cannot be read, or is empty, as one is where nothing is mounted. */
export async function openFamilyMedia(options: MediaOptions): Promise<FamilyMedia> {
  const { folder, storage, report, fingerprint, isDry } = options;
  const root = folder === undefined ? undefined : resolve(folder);
  await checkFolder(root);

  /** Versions keep files flat, by company, or by contact below it: the company's own folder first. */
  async function find(path: string, company: number | null): Promise<{ file: string; size: number } | undefined> {
    if (root === undefined || isOfAnother(resolve(root, path), company)) {
      return undefined;
    }
    const name = basename(path);
    const own = company === null ? [] : [path, name].map((each) => join(`company${company}`, each));
    for (const place of [...own, path, name]) {
      const file = resolve(root, place);
      // A path that climbs out of the folder is nobody's file.
      if (file.startsWith(root + sep) && !isOfAnother(file, company)) {
        const found = await stat(file).catch((error: unknown) => {
          if (missing.has(codeOf(error))) {
            return undefined;
          }
          throw error;
        });
        if (found?.isFile()) {
          return { file, size: found.size };
        }
      }
    }
    return undefined;
  }

  /** In the folder of another company. */
  function isOfAnother(file: string, company: number | null): boolean {
    const [top = ""] = relative(root ?? "", file).split(sep);
    return company !== null && /^company\d+$/iu.test(top) && top !== `company${company}`;
  }

  async function copyOne(
    { companyId, oldCompanyId }: FileOwner,
    target: string,
    { identity, path, name }: NamedFile,
  ): Promise<CopiedFile | undefined> {
    const given = pathOf(textOf(path));
    if (given === "" || root === undefined) {
      return undefined;
    }
    const fileName = shortFileName(basename(textOf(name) || given));
    const found = await read(given, oldCompanyId, fileName);
    if (!found) {
      return undefined;
    }
    const { file, size, type } = found;
    const digest = createHash("sha256").update(`${fingerprint}\0${identity}`).digest("hex").slice(0, 32);
    const key = storageKey(companyId, target, `moved-${digest}`);
    if (!isDry && (await storage.stat(key))?.size !== size) {
      await storage.put(key, createReadStream(file), { contentType: type });
    }
    return { key, name: fileName, type, size };
  }

  /** Undefined, and counted: one file that cannot be had ends no move. */
  async function read(
    path: string,
    company: number | null,
    name: string,
  ): Promise<{ file: string; size: number; type: string } | undefined> {
    try {
      const found = await find(path, company);
      if (found && found.size > 0) {
        return { ...found, type: await sniffType(found.file, name) };
      }
    } catch (error) {
      if (error instanceof AppError) {
        note(report, "files of a kind that is refused here, programs and pages with script, were left out");
        return undefined;
      }
      if (!unreadable.has(codeOf(error))) {
        throw error;
      }
      await checkFolder(root);
      note(report, "files that the source names cannot be opened");
      return undefined;
    }
    // Not where the folder has gone meanwhile: all would count as missing for good.
    await checkFolder(root);
    note(report, "files that the source names are not in the folder");
    return undefined;
  }

  return {
    async copy(owner, target, files) {
      const queue = new PQueue({ concurrency: FILES_AT_ONCE });
      const copied = await queue.addAll(
        files.map((file) => async () => [file.identity, await copyOne(owner, target, file)] as const),
      );
      return new Map(copied.flatMap(([identity, file]) => (file ? [[identity, file]] : [])));
    },
  };
}

/** A path below the folder: some versions save the address that the file has in the browser. Pure. */
function pathOf(value: string): string {
  const path = value.replace(/^https?:\/\/[^/]+\//u, "").replace(/^\/*(?:public\/+)?/u, "");
  try {
    return decodeURIComponent(path.split("?")[0] ?? "").replace(/^\/+/u, "");
  } catch {
    return path;
  }
}

async function checkFolder(root: string | undefined): Promise<void> {
  if (root === undefined) {
    return;
  }
  try {
    const folder = await opendir(root);
    const first = await folder.read();
    await folder.close();
    if (first !== null) {
      return;
    }
  } catch (error) {
    throw new ConfigError(`--media: ${root} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  throw new ConfigError(`--media: ${root} is empty`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
