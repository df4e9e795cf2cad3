import { randomUUID } from "node:crypto";
import { AppError } from "#server/platform/ctx.ts";
import type { Upload } from "#server/platform/http/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import type { StoredSheet } from "./imports.service.ts";
import { sheetKindOf } from "./read-sheet.ts";

/** A spreadsheet of 50,000 contacts has 3 MB. */
const maxSheetBytes = 20_000_000;

/** Stores an uploaded sheet until its import has ended. Throws ERR_FILE_TYPE if it is no table, ERR_FILE_TOO_LARGE. */
export async function storeSheet(storage: Storage, companyId: number, file: Upload): Promise<StoredSheet> {
  const kind = sheetKindOf(file.contentType, file.name);
  if (!kind) {
    throw new AppError("ERR_FILE_TYPE", { name: file.name });
  }
  if (file.size > maxSheetBytes) {
    throw new AppError("ERR_FILE_TOO_LARGE", { name: file.name });
  }
  const key = storageKey(companyId, "imports", randomUUID());
  await storage.put(key, file.stream(), { contentType: file.contentType });
  return { fileName: file.name.slice(0, 200), storageKey: key, isBook: kind === "book" };
}
