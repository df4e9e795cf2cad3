import { csvSeparator } from "@prosa/contract";

/** A cell that holds something stands beyond the columns that are read. */
export class TooManyColumns extends Error {}

/**
 * The rows of a CSV file, separated by `;`, tab or `,`. A quote at the start of a cell that nothing closes is an ordinary character,
 * else it would take the lines below into its cell. Pure, and linear: between such a quote and its end there are only doubled quotes.
 * Of the cells beyond `maxCells` in a row empty ones are left out, and one that holds something throws TooManyColumns.
 */
export function parseCsv(text: string, maxCells = Infinity): string[][] {
  const [, named, body = ""] = /^\uFEFF?(?:sep=([;,\t])(?=[\r\n]))?([^]*)$/u.exec(text) ?? [];
  // The line "sep=;" stays, empty, so that lines keep their numbers.
  const separator = named ?? separatorOf(body.slice(0, 100_000));
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  /** Where the quote stands that opened the cell. */
  let openedAt = 0;

  const endCell = () => {
    if (row.length < maxCells) {
      row.push(cell);
    } else if (cell.trim() !== "") {
      throw new TooManyColumns();
    }
    cell = "";
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  /** Takes the quote that opened the cell as its first character; from where to read on. */
  const reopen = () => {
    cell = '"';
    isQuoted = false;
    return openedAt;
  };
  const isCellEnd = (sign: string | undefined) => sign === undefined || [separator, "\r", "\n"].includes(sign);
  /** Does the quote, or the first of several, stand where a cell begins? */
  const isCellStart = (quote: number) => {
    let first = quote;
    while (body[first - 1] === '"') {
      first -= 1;
    }
    return isCellEnd(body[first - 1]);
  };

  for (let at = 0; at < body.length; at += 1) {
    const sign = body[at] ?? "";
    if (isQuoted) {
      if (sign !== '"') {
        cell += sign;
      } else if (body[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else if (/[\r\n]/u.test(cell) && isCellStart(at) && !isCellEnd(body[at + 1])) {
        // It opens a cell of a later line.
        at = reopen();
      } else {
        isQuoted = false;
      }
    } else if (sign === '"' && cell === "") {
      isQuoted = true;
      openedAt = at;
    } else if (sign === separator) {
      endCell();
    } else if (sign === "\n" || (sign === "\r" && body[at + 1] !== "\n")) {
      endRow();
    } else if (sign !== "\r") {
      cell += sign;
    }
    if (isQuoted && at === body.length - 1) {
      at = reopen();
    }
  }
  if (cell !== "" || row.length > 0) {
    endRow();
  }
  return rows;
}

/** Lines that are looked at for the separator: above the headings a title may stand, which has none. */
const linesLookedAt = 30;

/** The separator that is found in most lines, and of these the most frequent. Excel may name it in a first line "sep=;". */
function separatorOf(text: string): string {
  const lines = text.replaceAll(/"(?:[^"]|"")*"/gu, "").split(/\r\n|\r|\n/u, linesLookedAt);
  const counts = [csvSeparator, "\t", ","].map((sign) => {
    const found = lines.map((line) => line.split(sign).length - 1);
    return { sign, lines: found.filter(Boolean).length, signs: found.reduce((sum, count) => sum + count, 0) };
  });
  return counts.toSorted((a, b) => b.lines - a.lines || b.signs - a.signs)[0]?.sign ?? csvSeparator;
}

/** Decodes a text file: UTF-8 or UTF-16, else Windows-1252, which Excel for Windows writes. Pure. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second, , fourth] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && fourth === 0)) {
    return new TextDecoder("utf-16le").decode(bytes);
  }
  if (first === 0xfe && second === 0xff) {
    return new TextDecoder("utf-16be").decode(bytes);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
