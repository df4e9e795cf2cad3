import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ImportColumns, SheetPreview } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { AppError } from "#server/platform/ctx.ts";
import type { Upload } from "#server/platform/http/index.ts";
import type { ThreadCaller } from "#server/platform/run-in-thread.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { refusalText } from "./import-refusals.i18n.ts";
import type { StoredSheet } from "./imports.service.ts";
import { previewSheet, sheetKindOf } from "./read-sheet.ts";
import type { SheetRequest } from "./read-sheet.ts";

/** A spreadsheet of 50,000 contacts has 3 MB. */
const maxSheetBytes = 20_000_000;

/**
 * The first rows of an uploaded sheet, and what its columns seem to be. Throws ERR_FILE_TYPE if it is no table,
 * ERR_FILE_TOO_LARGE, ERR_VALIDATION with `failure` and a sentence if it cannot be read or has no rows, and the reason of the signal.
 */
export async function previewImport(file: Upload, language: Language, caller: ThreadCaller): Promise<SheetPreview> {
  const kind = kindOf(file);
  const result = await previewSheet(await readFile(file.path), kind, caller);
  if ("failure" in result) {
    throw new AppError("ERR_VALIDATION", { message: refusalText(result.failure, language), failure: result.failure });
  }
  return result.preview;
}

/**
 * The columns of an uploaded sheet by its headings, for callers that choose none. Throws as `previewImport` does, and
 * ERR_VALIDATION with `unclear` and the `columns` that were seen if the headings do not tell.
 */
export async function columnsOf(file: Upload, language: Language, caller: ThreadCaller): Promise<ImportColumns> {
  const { columns, headingLine, unclear, width } = await previewImport(file, language, caller);
  if (unclear !== null) {
    const headings = columns.map(({ heading }) => heading);
    throw new AppError("ERR_VALIDATION", {
      message: refusalText(unclear, language, headings),
      unclear,
      columns: headings,
    });
  }
  const roles = Array.from({ length: width }, (_, at) => columns.find(({ index }) => index === at)?.role ?? "ignore");
  return { headingLine, roles };
}

/** Stores an uploaded sheet until its import has ended. Throws ERR_FILE_TYPE if it is no table, ERR_FILE_TOO_LARGE. */
export async function storeSheet(
  storage: Storage,
  companyId: number,
  file: Upload,
  columns: ImportColumns,
  folder = "imports",
): Promise<StoredSheet> {
  const kind = kindOf(file);
  const key = storageKey(companyId, folder, randomUUID());
  await storage.put(key, file.stream(), { contentType: file.contentType });
  return { fileName: truncateText(file.name, 200), storageKey: key, isBook: kind === "book", columns };
}

function kindOf(file: Upload): SheetRequest["kind"] {
  const kind = sheetKindOf(file.contentType, file.name);
  if (!kind) {
    throw new AppError("ERR_FILE_TYPE", { name: file.name });
  }
  if (file.size > maxSheetBytes) {
    throw new AppError("ERR_FILE_TOO_LARGE", { name: file.name });
  }
  return kind;
}
