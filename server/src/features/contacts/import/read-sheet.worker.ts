import { parentPort, workerData } from "node:worker_threads";
import { read, utils } from "@e965/xlsx";
import { decodeText, parseCsv } from "./csv.ts";
import { parseRows } from "./import-rows.ts";
import { refuseZipBomb } from "./unpacked-size.ts";
import type { SheetResult, SheetRequest } from "./read-sheet.ts";

/** Reads one file and ends. A malicious spreadsheet can exhaust memory or time: the thread limits both. */
const { bytes, kind, maxRows } = workerData as SheetRequest;

function readTable(): SheetResult {
  try {
    const table = kind === "csv" ? parseCsv(decodeText(bytes)) : tableOf(bytes);
    const rows = parseRows(table);
    return rows.length > maxRows ? { failure: "tooManyRows" } : { rows };
  } catch {
    return { failure: "unreadable" };
  }
}

/** Bytes; fifty thousand rows take a tenth of it. */
const maxUnpackedBytes = 200 * 1024 * 1024;

function tableOf(file: Uint8Array): string[][] {
  refuseZipBomb(file, maxUnpackedBytes);
  // One row more than allowed, beside the headings, is enough to notice a file that is too long.
  const book = read(file, {
    dense: true,
    sheetRows: maxRows + 2,
    cellFormula: false,
    cellHTML: false,
    cellStyles: false,
  });
  const sheet = book.Sheets[book.SheetNames[0] ?? ""];
  const rows = sheet
    ? utils.sheet_to_json<unknown[]>(sheet, { header: 1, raw: true, defval: "", blankrows: true })
    : [];
  return rows.map((row) => row.map(String));
}

parentPort?.postMessage(readTable());
