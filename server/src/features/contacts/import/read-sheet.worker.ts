import { parentPort, workerData } from "node:worker_threads";
import { read } from "@e965/xlsx";
import type { CellObject } from "@e965/xlsx";
import { decodeText, parseCsv, TooManyColumns } from "./csv.ts";
import { parseRows } from "./import-rows.ts";
import { layoutOf } from "./sheet-layout.ts";
import { filledColumns, previewOf } from "./sheet-preview.ts";
import { refuseZipBomb, UnpackedTooLarge } from "./unpacked-size.ts";
import { isVcards, tableOfVcards, vcardLayout } from "./vcards.ts";
import type { Failure, PreviewResult, SheetResult, SheetRequest } from "./read-sheet.ts";

/** Reads one file and ends. A malicious spreadsheet can exhaust memory or time: the thread limits both. */
const { bytes, kind, maxRows, want } = workerData as SheetRequest;

/** Columns with something in them that a person can be asked about. */
const maxColumns = 100;
/** Cells of a row that are read, so that a row of millions is refused by its first ones: between columns with something are empty ones. */
const maxCells = 500;
/** Characters of all rows; the largest address books have a tenth. */
const maxText = 40_000_000;

function readFile(): SheetResult | PreviewResult {
  try {
    const text = kind === "csv" ? textOfFile(bytes) : undefined;
    const isCards = text !== undefined && isVcards(text);
    const table = text === undefined ? tableOfBook(bytes) : isCards ? tableOfVcards(text) : parseCsv(text, maxCells);
    if (filledColumns(table).size > maxColumns) {
      return { failure: "tooManyColumns" };
    }
    const layout = isCards ? vcardLayout : layoutOf(table);
    const rows = parseRows(table, (want !== "preview" && want.columns) || layout);
    if (table.length > maxRows && rows.length > maxRows) {
      return { failure: "tooManyRows" };
    }
    if (want !== "preview") {
      return textOf(rows) > maxText ? { failure: "tooMuchText" } : { rows };
    }
    const preview = previewOf(table, layout);
    return preview.rows.length > (layout.headingLine === null ? 0 : 1) ? { preview } : { failure: "empty" };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function failureOf(error: unknown): Failure["failure"] {
  return error instanceof TooManyColumns
    ? "tooManyColumns"
    : error instanceof UnpackedTooLarge
      ? "tooMuchText"
      : "unreadable";
}

function textOf(rows: ReturnType<typeof parseRows>): number {
  return rows.reduce(
    (sum, { name, extraInfo }) =>
      sum + name.length + extraInfo.reduce((part, extra) => part + extra.name.length + extra.value.length, 0),
    0,
  );
}

/** Throws for bytes that are no text: they hold control characters. */
function textOfFile(file: Uint8Array): string {
  const text = decodeText(file);
  if (/\p{Cc}/u.test(text.slice(0, 10_000).replaceAll(/\s/gu, ""))) {
    throw new Error("not a text");
  }
  return text;
}

/** Bytes: fifty thousand rows of twenty filled columns, a million cells. More cells take minutes and gigabytes. */
const maxUnpackedBytes = 80 * 1024 * 1024;
/** Lines beside the allowed rows that are read: titles and headings, and one more to notice a file that is too long. */
const moreLines = 50;

/** The first sheet that is not empty: a cover may lie before it. */
function tableOfBook(file: Uint8Array): string[][] {
  refuseZipBomb(file, maxUnpackedBytes);
  const book = read(file, {
    dense: true,
    sheetRows: maxRows + moreLines,
    cellFormula: false,
    cellHTML: false,
    cellStyles: false,
  });
  for (const name of book.SheetNames) {
    // Only the cells that exist: formatted columns reach to XFD and formatted rows to the million.
    const rows: readonly (readonly (CellObject | undefined)[] | undefined)[] = book.Sheets[name]?.["!data"] ?? [];
    if (rows.some((row) => row?.some(isFilled))) {
      if (rows.some((row) => row?.slice(maxCells).some(isFilled))) {
        throw new TooManyColumns();
      }
      return Array.from(rows, (row) => Array.from(row?.slice(0, maxCells) ?? [], cellText));
    }
  }
  return [];
}

function isFilled(cell: CellObject | undefined): boolean {
  return cell?.v !== undefined && cell.v !== "";
}

/** What the cell shows, but a phone number as it is: Excel shows it as 5,51E+12. */
function cellText(cell: CellObject | undefined): string {
  const value = cell?.v;
  if (value === undefined || value === null) {
    return "";
  }
  const isLong = typeof value === "number" && Number.isInteger(value) && Math.abs(value) >= 10_000_000;
  return isLong ? String(value) : (cell?.w ?? String(value));
}

parentPort?.postMessage(readFile());
