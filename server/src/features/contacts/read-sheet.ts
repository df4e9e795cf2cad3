import { Worker } from "node:worker_threads";
import type { ContactImport } from "@prosa/contract";
import type { WrittenRow } from "./import-rows.ts";

export interface SheetQuestion {
  readonly bytes: Uint8Array;
  readonly kind: "csv" | "book";
  readonly maxRows: number;
}

export type SheetAnswer =
  { readonly rows: readonly WrittenRow[] } | { readonly failure: NonNullable<ContactImport["failure"]> };

/** A company's whole address book, and no more than that. */
export const maxImportRows = 50_000;
const memoryMb = 512;
const withinMs = 60_000;

/** Reads a csv, xls or xlsx file in a thread of its own; whatever goes wrong there, it is a file that cannot be read. */
export async function readSheet(bytes: Uint8Array, kind: SheetQuestion["kind"]): Promise<SheetAnswer> {
  const { promise, resolve } = Promise.withResolvers<SheetAnswer>();
  const worker = new Worker(new URL("./read-sheet.worker.ts", import.meta.url), {
    workerData: { bytes, kind, maxRows: maxImportRows } satisfies SheetQuestion,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const unreadable = () => resolve({ failure: "unreadable" });
  const timer = setTimeout(unreadable, withinMs);
  worker.once("message", resolve);
  worker.once("error", unreadable);
  worker.once("exit", unreadable);

  const answer = await promise;
  clearTimeout(timer);
  await worker.terminate();
  return answer;
}

/** How to read an upload, by its bytes; undefined for what is no table. */
export function sheetKindOf(contentType: string, name: string): SheetQuestion["kind"] | undefined {
  if (contentType === "text/csv" || contentType === "text/plain" || contentType === "text/tab-separated-values") {
    return "csv";
  }
  const isBook = contentType === "application/x-cfb" || contentType.endsWith("spreadsheetml.sheet");
  return isBook || (contentType === "application/zip" && /\.xlsx$/iu.test(name)) ? "book" : undefined;
}
