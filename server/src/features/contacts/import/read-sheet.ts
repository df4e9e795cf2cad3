import type { ContactImport, ImportColumns, SheetPreview } from "@prosa/contract";
import { threadRunner } from "#server/platform/run-in-thread.ts";
import type { ThreadCaller } from "#server/platform/run-in-thread.ts";
import type { SheetRow } from "./import-rows.ts";

export interface SheetRequest {
  readonly bytes: Uint8Array;
  readonly kind: "csv" | "book";
  readonly maxRows: number;
  /** Preview: the first rows, and what the columns seem to be. Else the rows by these columns, or by its headings. */
  readonly want: "preview" | { readonly columns: ImportColumns | undefined };
}

export type Failure = { readonly failure: NonNullable<ContactImport["failure"]> };
export type SheetResult = { readonly rows: readonly SheetRow[] } | Failure;
export type PreviewResult = { readonly preview: SheetPreview } | Failure;

/** Rows of the largest import: a company's whole address book. */
const maxImportRows = 50_000;

const runInThread = threadRunner<SheetRequest, SheetResult | PreviewResult>(
  new URL("./read-sheet.worker.ts", import.meta.url),
  { failure: "unreadable" },
);

/** The rows of a csv, xls, xlsx or vcf file. Any failure of the thread makes the file `unreadable`; rejects only as the caller's signal says. */
export async function readSheet(
  bytes: Uint8Array,
  kind: SheetRequest["kind"],
  columns: ImportColumns | undefined,
  caller: ThreadCaller,
): Promise<SheetResult> {
  return (await runInThread({ bytes, kind, maxRows: maxImportRows, want: { columns } }, caller)) as SheetResult;
}

/** The first rows of a file, and what its columns seem to be. The whole file is read: a column may be empty at first. */
export async function previewSheet(
  bytes: Uint8Array,
  kind: SheetRequest["kind"],
  caller: ThreadCaller,
): Promise<PreviewResult> {
  return (await runInThread({ bytes, kind, maxRows: maxImportRows, want: "preview" }, caller)) as PreviewResult;
}

/** How to read an upload, by its detected type; undefined if it is no table. */
export function sheetKindOf(contentType: string, name: string): SheetRequest["kind"] | undefined {
  if (
    contentType === "text/vcard" ||
    contentType === "text/x-vcard" ||
    contentType === "text/csv" ||
    contentType === "text/plain" ||
    contentType === "text/tab-separated-values"
  ) {
    return "csv";
  }
  // ERPs write text under the name of a spreadsheet; Excel opens it, so people believe it is one.
  if (contentType === "application/octet-stream" && /\.(?:xlsx?|vcf)$/iu.test(name)) {
    return "csv";
  }
  const isBook = contentType === "application/x-cfb" || contentType.endsWith("spreadsheetml.sheet");
  return isBook || (contentType === "application/zip" && /\.xlsx$/iu.test(name)) ? "book" : undefined;
}
