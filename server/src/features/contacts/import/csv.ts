import { csvSeparator } from "@prosa/contract";

/** The rows of a CSV file. The separator is the one of `;`, `,` and tab that is most frequent in the first line. Pure. */
export function parseCsv(text: string): string[][] {
  const body = text.replace(/^\uFEFF/u, "");
  const separator = separatorOf(body.slice(0, body.search(/[\r\n]|$/u)));
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;

  const endCell = () => {
    row.push(cell);
    cell = "";
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  for (let at = 0; at < body.length; at += 1) {
    const sign = body[at] ?? "";
    if (isQuoted) {
      if (sign !== '"') {
        cell += sign;
      } else if (body[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else {
        isQuoted = false;
      }
    } else if (sign === '"' && cell === "") {
      isQuoted = true;
    } else if (sign === separator) {
      endCell();
    } else if (sign === "\n") {
      endRow();
    } else if (sign !== "\r") {
      cell += sign;
    }
  }
  if (cell !== "" || row.length > 0) {
    endRow();
  }
  return rows;
}

function separatorOf(line: string): string {
  const counts = [";", ",", "\t"].map((sign) => ({ sign, count: line.split(sign).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? csvSeparator;
}

/** Decodes a text file: UTF-8, else Windows-1252, which Excel for Windows writes. Pure. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
