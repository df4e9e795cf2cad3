import type { refusalReasons } from "@prosa/contract";
import { csvLine } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import type { RequestScope } from "#server/platform/http/index.ts";
import { findLatestImport, findRefusedRows } from "./imports.queries.ts";

type Words = Readonly<Record<(typeof refusalReasons)[number] | "line" | "personName" | "personNumber" | "why", string>>;

const words: Readonly<Record<Language, Words>> = {
  pt: {
    ...{ line: "linha", personName: "nome", personNumber: "número", why: "motivo" },
    name: "O nome precisa ter de 2 a 50 caracteres",
    noName: "Falta o nome",
    number: "O número não é um telefone",
    rounded: "O Excel abreviou o número e perdeu os últimos dígitos",
    email: "O e-mail é inválido",
  },
  en: {
    ...{ line: "line", personName: "name", personNumber: "number", why: "reason" },
    name: "The name must have 2 to 50 characters",
    noName: "The name is missing",
    number: "The number is not a phone number",
    rounded: "Excel abbreviated the number and lost its last digits",
    email: "The email is invalid",
  },
  es: {
    ...{ line: "línea", personName: "nombre", personNumber: "número", why: "motivo" },
    name: "El nombre debe tener de 2 a 50 caracteres",
    noName: "Falta el nombre",
    number: "El número no es un teléfono",
    rounded: "Excel abrevió el número y perdió los últimos dígitos",
    email: "El correo no es válido",
  },
};

const batchSize = 2_000;

/**
 * Every row that the latest import into a list refused, as csv, a batch at a time. What a spreadsheet would run as a formula
 * gets an apostrophe (`csvLine`).
 */
export async function* refusedReport(
  scope: Pick<RequestScope, "read">,
  contactListId: number,
  language: Language,
): AsyncGenerator<string> {
  const text = words[language];
  yield `\uFEFF${csvLine([text.line, text.personName, text.personNumber, text.why])}`;
  const latest = await scope.read((ctx) => findLatestImport(ctx, contactListId));
  let after = 0;
  for (let isMore = latest !== undefined; isMore;) {
    const rows = await scope.read((ctx) => findRefusedRows(ctx, latest?.id ?? 0, { after, limit: batchSize }));
    yield rows.map(({ line, name, number, reason }) => csvLine([line, name, number, text[reason]])).join("");
    after = rows.at(-1)?.line ?? after;
    isMore = rows.length === batchSize;
  }
}
