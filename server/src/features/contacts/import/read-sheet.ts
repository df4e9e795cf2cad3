import { Worker } from "node:worker_threads";
import type { ContactImport } from "@prosa/contract";
import type { SheetRow } from "./import-rows.ts";

export interface SheetRequest {
  readonly bytes: Uint8Array;
  readonly kind: "csv" | "book";
  readonly maxRows: number;
}

export type SheetResult =
  { readonly rows: readonly SheetRow[] } | { readonly failure: NonNullable<ContactImport["failure"]> };

/** Rows of the largest import: a company's whole address book. */
export const maxImportRows = 50_000;
const maxMemoryMb = 512;
const timeoutMs = 60_000;

/** Reads a csv, xls or xlsx file in a worker thread. Any failure of the thread makes the file `unreadable`. */
export async function readSheet(bytes: Uint8Array, kind: SheetRequest["kind"]): Promise<SheetResult> {
  const { promise, resolve } = Promise.withResolvers<SheetResult>();
  const worker = new Worker(new URL("./read-sheet.worker.ts", import.meta.url), {
    workerData: { bytes, kind, maxRows: maxImportRows } satisfies SheetRequest,
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
  const unreadable = () => resolve({ failure: "unreadable" });
  const timer = setTimeout(unreadable, timeoutMs);
  worker.once("message", resolve);
  worker.once("error", unreadable);
  worker.once("exit", unreadable);

  const result = await promise;
  clearTimeout(timer);
  await worker.terminate();
  return result;
}

/** How to read an upload, by its detected type; undefined if it is no table. */
export function sheetKindOf(contentType: string, name: string): SheetRequest["kind"] | undefined {
  if (contentType === "text/csv" || contentType === "text/plain" || contentType === "text/tab-separated-values") {
    return "csv";
  }
  const isBook = contentType === "application/x-cfb" || contentType.endsWith("spreadsheetml.sheet");
  return isBook || (contentType === "application/zip" && /\.xlsx$/iu.test(name)) ? "book" : undefined;
}
