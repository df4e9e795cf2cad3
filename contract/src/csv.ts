/** Semicolon, the CSV separator of Brazilian spreadsheets. */
export const csvSeparator = ";";

/** Spreadsheets need it to detect UTF-8. */
export const byteOrderMark = "\uFEFF";

/**
 * One line of a CSV file. Cells that a spreadsheet would run as a formula get a leading apostrophe (CSV injection, C-04),
 * because contact names are untrusted.
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
