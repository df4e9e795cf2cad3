import type { ContactImport, SheetPreview } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";

type Refusal = NonNullable<ContactImport["failure"]> | NonNullable<SheetPreview["unclear"]>;

const texts: Readonly<Record<Language, Readonly<Record<Refusal | "columns", string>>>> = {
  pt: {
    unreadable: "O arquivo não pôde ser lido. Salve como .xlsx ou .csv e tente de novo.",
    tooManyRows: "O arquivo tem linhas demais: o limite é 50.000. Divida em partes.",
    tooManyColumns: "O arquivo tem colunas demais: o limite é 100. Deixe só as que interessam.",
    tooMuchText: "O arquivo tem texto demais. Divida em partes ou deixe menos colunas.",
    empty: "O arquivo não tem linhas com contatos.",
    headings: "A planilha não tem títulos de colunas que digam o que é o nome e o que é o número.",
    number: "Nenhum título de coluna diz qual é o número de telefone.",
    numbers: "Mais de uma coluna pode ser o número de telefone.",
    name: "Nenhum título de coluna diz qual é o nome.",
    columns: "Colunas vistas:",
  },
  en: {
    unreadable: "The file could not be read. Save it as .xlsx or .csv and try again.",
    tooManyRows: "The file has too many rows: the limit is 50,000. Split it.",
    tooManyColumns: "The file has too many columns: the limit is 100. Keep only those that matter.",
    tooMuchText: "The file has too much text. Split it or keep fewer columns.",
    empty: "The file has no rows with contacts.",
    headings: "The sheet has no column headings that say which is the name and which the number.",
    number: "No column heading says which one is the phone number.",
    numbers: "More than one column may be the phone number.",
    name: "No column heading says which one is the name.",
    columns: "Columns seen:",
  },
  es: {
    unreadable: "No se pudo leer el archivo. Guárdelo como .xlsx o .csv e inténtelo de nuevo.",
    tooManyRows: "El archivo tiene demasiadas filas: el límite es 50,000. Divídalo.",
    tooManyColumns: "El archivo tiene demasiadas columnas: el límite es 100. Deje solo las que importan.",
    tooMuchText: "El archivo tiene demasiado texto. Divídalo o deje menos columnas.",
    empty: "El archivo no tiene filas con contactos.",
    headings: "La planilla no tiene títulos de columnas que digan cuál es el nombre y cuál el número.",
    number: "Ningún título de columna dice cuál es el número de teléfono.",
    numbers: "Más de una columna puede ser el número de teléfono.",
    name: "Ningún título de columna dice cuál es el nombre.",
    columns: "Columnas vistas:",
  },
};

/** Headings that a sentence names; the details have all. */
const maxNamed = 12;

/** Why a file is not imported, as a sentence for the caller, with the headings that were seen. Pure. */
export function refusalText(refusal: Refusal, language: Language, headings: readonly string[] = []): string {
  const words = texts[language];
  const named = headings.filter((heading) => heading !== "").slice(0, maxNamed);
  return named.length === 0 ? words[refusal] : `${words[refusal]} ${words.columns} ${named.join(", ")}.`;
}
