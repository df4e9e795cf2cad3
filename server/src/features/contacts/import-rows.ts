import { contactBody } from "@prosa/contract";
import type { ContactImport } from "@prosa/contract";
import { beginningOf } from "#server/platform/text.ts";

/** One row of a file, as it was written. */
export interface WrittenRow {
  /** The line of the file, from 1; what people see at the left of a spreadsheet. */
  readonly line: number;
  readonly name: string;
  readonly number: string;
  readonly email: string;
}

export type RefusedRow = ContactImport["refusedRows"][number];
export type NewPerson = Omit<WrittenRow, "line">;

const headings = {
  name: /^(name|nome|nombre|contato|contact|cliente|first name|display name)$/,
  number: /^(number|numero|telefone|telefono|phone|celular|whatsapp|mobile|fone)( \d)?$/,
  email: /^(e-?mail|correo|correio)( \d)?$/,
} as const;

/** The rows of a sheet: by its headings, or name, number and e-mail in this order where it has none. Pure. */
export function rowsOf(table: readonly (readonly string[])[]): WrittenRow[] {
  const titles = (table[0] ?? []).map(plain);
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

/** What a row makes: a person by the rules of the contact form (C-02), or the reason why not. Pure. */
export function checkRow(row: WrittenRow): { readonly person: NewPerson } | { readonly refused: RefusedRow } {
  const refused = (reason: RefusedRow["reason"]) => {
    return {
      refused: { line: row.line, name: beginningOf(row.name, 100), number: beginningOf(row.number, 50), reason },
    };
  };
  // A spreadsheet that showed 5,51199E+12 has lost the number.
  if (/\d[eE]\+?\d/u.test(row.number) || /\p{L}{2}/u.test(row.number)) {
    return refused("number");
  }
  const number = withCountryCode(row.number.replace(/\D/gu, ""));
  const parsed = contactBody.safeParse({ name: row.name || number, number, email: row.email });
  if (parsed.success) {
    const { name, email } = parsed.data;
    return { person: { name, email, number: parsed.data.number } };
  }
  const field = parsed.error.issues[0]?.path[0];
  return refused(field === "name" || field === "email" ? field : "number");
}

/** Brazilians write mobiles without the 55: area code, a nine, eight digits. No number of another country looks so. */
function withCountryCode(digits: string): string {
  return /^[1-9][1-9]9\d{8}$/u.test(digits) ? `55${digits}` : digits;
}

function plain(title: string): string {
  return title.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();
}
