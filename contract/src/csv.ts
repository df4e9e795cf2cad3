/** Semicolons, as spreadsheets of Brazil expect them. */
export const csvSeparator = ";";

/** Spreadsheets take a file for UTF-8 only where it begins so. */
export const byteOrderMark = "\uFEFF";

/**
 * One line of a CSV file. A cell that a spreadsheet would run as a formula gets an apostrophe in front, which shows it
 * as text (C-04): people's names come from strangers. Pure.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(csvSeparator)}\r\n`;
}

function csvCell(value: string | number): string {
  if (typeof value === "number") {
    return String(value);
  }
  const safe = /^\s*[=+\-@\t\r|＝＋－＠]/u.test(value) ? `'${value}` : value;
  return /[;"\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
