import type { SheetLayout } from "./sheet-layout.ts";
import { readNumber } from "./sheet-number.ts";

/** The columns of address books in vCard, whose meaning needs no guess. */
const headings = [
  "Nome",
  "Celular",
  "E-mail",
  "Outros números",
  "Empresa",
  "Cargo",
  "Aniversário",
  "Endereço",
  "Observação",
];

export const vcardLayout: SheetLayout = {
  headingLine: 1,
  roles: ["name", "number", "email", ...headings.slice(3).map(() => "extraInfo" as const)],
  unclear: null,
};

/** Does a text hold vCards? Pure. */
export function isVcards(text: string): boolean {
  return /^\uFEFF?\s*BEGIN:VCARD\b/iu.test(text);
}

/**
 * vCards of version 2.1, 3.0 and 4.0 as the rows of a sheet, one for each person. Of several numbers WhatsApp's own (`waid`) counts, else
 * the first mobile one, else the first that can be read; the others stay as a further field. Pure.
 */
export function tableOfVcards(text: string): string[][] {
  const cards: Property[][] = [];
  let depth = 0;
  for (const line of unfold(text)) {
    const property = parseLine(line);
    if (property?.name === "BEGIN" && /^VCARD$/iu.test(property.value.trim())) {
      depth += 1;
      if (depth === 1) {
        cards.push([]);
      }
    } else if (property?.name === "END" && /^VCARD$/iu.test(property.value.trim())) {
      depth = Math.max(0, depth - 1);
    } else if (property && depth === 1) {
      // A card within a card is its AGENT, somebody else.
      cards.at(-1)?.push(property);
    }
  }
  return [[...headings], ...cards.map(rowOf)];
}

interface Property {
  readonly name: string;
  /** In upper case: `CELL`, `TYPE=CELL`, `WAID=5511…`. */
  readonly params: readonly string[];
  /** Decoded, escapes not yet resolved. */
  readonly value: string;
}

/** Properties of bytes, which are not kept while a card is read: a picture has more lines than all the rest. */
const ofBytes = /^(?:[^.:;]*\.)?(?:PHOTO|LOGO|SOUND|KEY)[:;]/iu;
/** Characters of a line within which its parameters are looked for. */
const longestHead = 1_000;

/** Whole lines: one that goes on after a space, and quoted-printable that goes on after an equals sign. In time linear in the text. */
function* unfold(text: string): Generator<string> {
  let pieces: string[] = [];
  /** The beginning, up to where the value is known to begin. */
  let head = "";
  let isOpen = false;
  for (const line of text.split(/\r\n|\r|\n/u)) {
    const isFolded = /^[ \t]/u.test(line) && pieces.length > 0;
    if (!isOpen && !isFolded) {
      yield pieces.join("");
      pieces = [];
      head = "";
    }
    const piece: string = isOpen || !isFolded ? line : line.slice(1);
    if (isOpen) {
      pieces.push(pieces.pop()!.slice(0, -1));
    }
    if (!head.includes(":") && head.length < longestHead) {
      head = `${head}${piece}`.slice(0, longestHead);
    }
    if (ofBytes.test(head)) {
      pieces = [head];
    } else if (piece !== "" || pieces.length === 0) {
      pieces.push(piece);
    }
    isOpen = piece.endsWith("=") && /^[^:]*QUOTED-PRINTABLE[^:]*:/iu.test(head);
  }
  yield pieces.join("");
}

/** `item1.TEL;TYPE="cell,voice":+55 …`; undefined where there is no value, or one of bytes, a picture or a key. */
function parseLine(line: string): Property | undefined {
  const [, left = "", given = ""] = /^((?:[^":]|"[^"]*")+):(.*)$/su.exec(line) ?? [];
  const [named = "", ...params] = (left.match(/(?:[^";]|"[^"]*")+/gu) ?? []).map((part) => part.trim());
  const name = named.replace(/^.*\./u, "").toUpperCase();
  const upper = params.map((param) => param.replaceAll('"', "").toUpperCase());
  if (
    name === "" ||
    ["PHOTO", "LOGO", "SOUND", "KEY"].includes(name) ||
    upper.some((param) => /(?:^|=)(?:B|BASE64)$/u.test(param))
  ) {
    return undefined;
  }
  const isQuoted = upper.some((param) => param.endsWith("QUOTED-PRINTABLE"));
  const charset = upper.find((param) => param.startsWith("CHARSET="))?.slice("CHARSET=".length);
  return { name, params: upper, value: isQuoted ? fromQuotedPrintable(given, charset ?? "UTF-8") : given };
}

function fromQuotedPrintable(text: string, charset: string): string {
  const bytes = Buffer.from(
    text
      .replaceAll(/\P{ASCII}/gu, (sign) =>
        [...Buffer.from(sign)].map((byte) => `=${byte.toString(16).padStart(2, "0")}`).join(""),
      )
      .replaceAll(/=([\dA-F]{2})/giu, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    "latin1",
  );
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function rowOf(properties: readonly Property[]): string[] {
  const all = (name: string) => properties.filter((property) => property.name === name);
  const first = (name: string) => plain(all(name)[0]?.value ?? "");
  const numbers = all("TEL")
    .map(numberOf)
    .filter(({ text }) => text !== "");
  const best = numbers.toSorted((a, b) => a.rank - b.rank)[0];
  const others = numbers.filter((number) => number !== best && number.text !== best?.text);
  return [
    first("FN") ||
      nameOf(all("N")[0]?.value ?? "") ||
      first("NICKNAME") ||
      partsOf(all("ORG")[0]?.value ?? "")[0] ||
      "",
    best?.text ?? "",
    first("EMAIL").replace(/^mailto:/iu, ""),
    others.map(({ text }) => text).join(", "),
    partsOf(all("ORG")[0]?.value ?? "").join(", "),
    first("TITLE") || first("ROLE"),
    first("BDAY"),
    partsOf(all("ADR")[0]?.value ?? "").join(", "),
    first("NOTE"),
  ].map((cell) => cell.replaceAll(/\s*\n\s*/gu, " ").trim());
}

/** The lower the better. */
function numberOf({ params, value }: Property): { readonly text: string; readonly rank: number } {
  const whatsApp = params.map((param) => /^WAID=(\d+)/u.exec(param)?.[1]).find((digits) => digits !== undefined);
  if (whatsApp) {
    // whole: without a plus it would be taken for one that lacks its country code
    return { text: `+${whatsApp}`, rank: 0 };
  }
  const text = plain(value).replace(/^tel:/iu, "").replace(/;.*$/u, "");
  const types = new Set(params.flatMap((param) => param.replace(/^TYPE=/u, "").split(",")));
  const read = readNumber(text);
  const isReadable = "digits" in read && read.digits.length >= 8;
  const isMobile = types.has("CELL") || types.has("IPHONE") || types.has("MOBILE");
  const isFax = types.has("FAX") || types.has("PAGER");
  return { text, rank: (isReadable ? 0 : 4) + (isMobile ? 1 : isFax ? 3 : 2) };
}

/** Family name; given name; more; prefix; suffix — as it is said. */
function nameOf(value: string): string {
  const [family = "", given = "", more = "", prefix = "", suffix = ""] = value.split(/(?<!\\);/u).map(plain);
  return [prefix, given, more, family, suffix].filter(Boolean).join(" ");
}

function partsOf(value: string): string[] {
  return value
    .split(/(?<!\\);/u)
    .map(plain)
    .filter(Boolean);
}

function plain(value: string): string {
  return value.replaceAll(/\\([nN\\,;:])/gu, (_, sign: string) => (sign.toLowerCase() === "n" ? "\n" : sign)).trim();
}
