import { contactBody } from "@prosa/contract";
import type { ContactImport, ImportColumns } from "@prosa/contract";
import { truncateText } from "#server/platform/truncate-text.ts";
import { readNumber, withAreaCode } from "./sheet-number.ts";

/** One row of a file, not yet checked. */
export interface SheetRow {
  /** The line of the file, from 1, as a spreadsheet numbers it. */
  readonly line: number;
  readonly name: string;
  readonly number: string;
  readonly email: string;
  readonly extraInfo: readonly ExtraInfo[];
}
interface ExtraInfo {
  readonly name: string;
  readonly value: string;
}

export type RefusedRow = ContactImport["refusedRows"][number];
export type ImportedContact = Omit<SheetRow, "line">;

/** A checked row. A row that is refused for its name may be of a contact that exists: then nothing is lost. */
export type CheckedRow =
  { readonly contact: ImportedContact } | { readonly refused: RefusedRow; readonly numberOfUnnamed?: string };

/** The rows of a sheet below its headings, by what its columns are. Empty lines are left out. Pure. */
export function parseRows(table: readonly (readonly string[])[], { headingLine, roles }: ImportColumns): SheetRow[] {
  const headings = headingLine === null ? [] : (table[headingLine - 1] ?? []);
  const of = (role: (typeof roles)[number]) => roles.flatMap((each, column) => (each === role ? [column] : []));
  const [first, last, areaCode, number] = [of("name"), of("lastName"), of("areaCode"), of("number")];
  const [email, extra] = [of("email"), of("extraInfo")];

  return table
    .map((cells, index) => {
      const filled = (columns: readonly number[]) => columns.map((column) => cellOf(cells, column)).filter(Boolean);
      const [prefix = ""] = filled(areaCode);
      const numbers = filled(number).map((text) => withAreaCode(prefix, text));
      return {
        line: index + 1,
        name: filled([...first, ...last]).join(" "),
        // several columns of numbers: the first that holds one
        number: numbers.find((text) => isNumber(text)) ?? numbers[0] ?? "",
        email: filled(email)[0] ?? "",
        extraInfo: extra.flatMap((column) => extraInfoOf(headings[column], column, cellOf(cells, column))),
      };
    })
    .slice(headingLine ?? 0)
    .filter((row) => row.name !== "" || row.number !== "" || row.email !== "" || row.extraInfo.length > 0);
}

/** A cell's text; our own export puts an apostrophe before what a spreadsheet would run. */
function cellOf(cells: readonly string[], column: number): string {
  return (cells[column] ?? "").trim().replace(/^'(?=[=+\-@|])/u, "");
}

function isNumber(text: string): boolean {
  const read = readNumber(text);
  return "digits" in read && read.digits.length >= 8;
}

/** Limits of the contact form (`contactBody`). */
const maxExtra = { name: 100, value: 500 } as const;

function extraInfoOf(heading: string | undefined, column: number, value: string): ExtraInfo[] {
  const name = heading?.trim() || columnLetters(column);
  return value === ""
    ? []
    : [{ name: truncateText(name, maxExtra.name).trim(), value: truncateText(value, maxExtra.value).trim() }];
}

/** The name that a spreadsheet gives a column: 0 is A, 26 is AA. Pure. */
function columnLetters(column: number): string {
  const rest = column < 26 ? "" : columnLetters(Math.floor(column / 26) - 1);
  return rest + String.fromCodePoint(65 + (column % 26));
}

/**
 * Checks a row by the rules of the contact form (C-02): the contact to insert, or the reason of the refusal. `known`: numbers that
 * contacts have; one of them gets no country code. Pure.
 */
export function checkRow(row: SheetRow, known: ReadonlySet<string> = new Set()): CheckedRow {
  const refused = (reason: RefusedRow["reason"]) => {
    return { line: row.line, name: truncateText(row.name, 100), number: truncateText(row.number, 50), reason };
  };
  const read = readNumber(row.number);
  if ("wrong" in read) {
    return { refused: refused(read.wrong) };
  }
  const number = read.written !== undefined && known.has(read.written) ? read.written : read.digits;
  const { name, email, extraInfo } = row;
  const parsed = contactBody.safeParse({ name, number, email, extraInfo: extraInfo.slice(0, 50) });
  if (parsed.success) {
    return { contact: parsed.data };
  }
  const fields = new Set(parsed.error.issues.map(({ path }) => path[0]));
  if (fields.has("number")) {
    return { refused: refused("number") };
  }
  return fields.has("name")
    ? { refused: refused(name === "" ? "noName" : "name"), numberOfUnnamed: number }
    : { refused: refused("email") };
}
