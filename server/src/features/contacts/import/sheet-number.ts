/** A number as a sheet writes it, read: its digits, or why there are none. */
export type SheetNumber = { readonly digits: string } | { readonly wrong: "number" | "rounded" };

/**
 * Reads the number of a cell: written for people, abbreviated by Excel, or several in one cell, of which the first counts.
 * `rounded`: the scientific notation has lost digits. Pure.
 */
export function readNumber(text: string): SheetNumber {
  const cell = firstOf(text.trim());
  const exact = fromScientific(cell);
  if (exact === "rounded") {
    return { wrong: "rounded" };
  }
  const written = exact ?? cell.replace(/^(\d+)[.,]0+$/u, "$1");
  if (/\p{L}{2}/u.test(written)) {
    return { wrong: "number" };
  }
  return { digits: withCountryCode(written.replaceAll(/\D/gu, "")) };
}

/** Whether a cell looks like a phone number, to guess the column where no heading tells. Pure. */
export function looksLikeNumber(text: string): boolean {
  const cell = firstOf(text.trim());
  const isOther = /^\d{3}\.\d{3}\.\d{3}-\d{2}$|^\d{2}\.\d{3}\.\d{3}\/|^\d{1,4}[/-]\d{1,2}[/-]\d{1,4}\b/u.test(cell);
  const number = readNumber(cell);
  const count = "digits" in number ? number.digits.length : 0;
  return !isOther && !/\p{L}/u.test(cell.replace(/[eE]/u, "")) && ((count >= 8 && count <= 15) || "wrong" in number);
}

/** Google joins the numbers of one label with ":::"; people use a slash, a comma, a line. */
function firstOf(text: string): string {
  const parts = text.split(/:::|[/;,|\n]|\s(?:ou|or|o|e|y)\s/u).map((part) => part.trim());
  return parts.every((part) => part.replaceAll(/\D/gu, "").length >= 8) ? (parts[0] ?? text) : text;
}

/** The digits of 5,511988887777E+12, which has kept all of them; `rounded` for 5,51199E+12. */
function fromScientific(text: string): string | undefined {
  const [, whole = "", fraction = "", exponent = ""] = /^(\d)(?:[.,](\d+))?[eE]\+?(\d{1,2})$/u.exec(text) ?? [];
  if (exponent === "") {
    return undefined;
  }
  return fraction.length === Number(exponent) ? whole + fraction : "rounded";
}

/**
 * Adds 55 to a Brazilian mobile written without it: area code, a nine, eight digits, perhaps with the trunk prefix 0. No
 * other country uses this form.
 */
function withCountryCode(digits: string): string {
  const national = digits.replace(/^0/u, "");
  return /^[1-9][1-9]9\d{8}$/u.test(national) ? `55${national}` : digits;
}
