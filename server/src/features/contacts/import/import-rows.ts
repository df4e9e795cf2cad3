import { contactBody } from "@prosa/contract";
import type { ContactImport } from "@prosa/contract";
import { truncateText } from "#server/platform/truncate-text.ts";

/** One row of a file, not yet checked. */
export interface SheetRow {
  /** The line of the file, from 1, as a spreadsheet numbers it. */
  readonly line: number;
  readonly name: string;
  readonly number: string;
  readonly email: string;
}

export type RefusedRow = ContactImport["refusedRows"][number];
export type ImportedContact = Omit<SheetRow, "line">;

const headings = {
  name: /^(name|nome|nombre|contato|contact|cliente|first name|display name)$/,
  number: /^(number|numero|telefone|telefono|phone|celular|whatsapp|mobile|fone)( \d)?$/,
  email: /^(e-?mail|correo|correio)( \d)?$/,
} as const;

/** The rows of a sheet: columns by its headings, or name, number and e-mail in this order if it has none. Pure. */
export function parseRows(table: readonly (readonly string[])[]): SheetRow[] {
  const titles = (table[0] ?? []).map(foldTitle);
  const columnOf = (of: keyof typeof headings) => titles.findIndex((title) => headings[of].test(title));
  const isHeaded = columnOf("number") >= 0;
  const [name, number, email] = isHeaded ? [columnOf("name"), columnOf("number"), columnOf("email")] : [0, 1, 2];

  return table
    .map((cells, index) => {
      const cell = (column: number) => (cells[column] ?? "").trim().replace(/^'(?=[=+\-@|])/u, "");
      return { line: index + 1, name: cell(name), number: cell(number), email: cell(email) };
    })
    .slice(isHeaded ? 1 : 0)
    .filter((row) => row.name !== "" || row.number !== "" || row.email !== "");
}

/** Checks a row by the rules of the contact form (C-02): the contact to insert, or the reason of the refusal. Pure. */
export function checkRow(row: SheetRow): { readonly contact: ImportedContact } | { readonly refused: RefusedRow } {
  const refused = (reason: RefusedRow["reason"]) => {
    return {
      refused: { line: row.line, name: truncateText(row.name, 100), number: truncateText(row.number, 50), reason },
    };
  };
  // Scientific notation (5,51199E+12) has lost digits of the number.
  if (/\d[eE]\+?\d/u.test(row.number) || /\p{L}{2}/u.test(row.number)) {
    return refused("number");
  }
  const number = withCountryCode(row.number.replace(/\D/gu, ""));
  const parsed = contactBody.safeParse({ name: row.name || number, number, email: row.email });
  if (parsed.success) {
    const { name, email } = parsed.data;
    return { contact: { name, email, number: parsed.data.number } };
  }
  const field = parsed.error.issues[0]?.path[0];
  return refused(field === "name" || field === "email" ? field : "number");
}

/** Adds 55 to a Brazilian mobile written without it: area code, a nine, eight digits. No other country uses this form. */
function withCountryCode(digits: string): string {
  return /^[1-9][1-9]9\d{8}$/u.test(digits) ? `55${digits}` : digits;
}

function foldTitle(title: string): string {
  return title.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();
}
