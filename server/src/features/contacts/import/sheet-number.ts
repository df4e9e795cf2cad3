/**
 * A number as a sheet writes it, read: its digits, or why there are none. `written`: the digits without the country code, where that
 * was guessed.
 */
export type SheetNumber =
  { readonly digits: string; readonly written?: string } | { readonly wrong: "number" | "rounded" };

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
  const digits = written.replaceAll(/\D/gu, "");
  if (/^[\s(]*\+/u.test(written) || digits.startsWith("00")) {
    // With a plus, or the prefix of calls abroad, the country is told.
    return { digits: digits.replace(/^00/u, "") };
  }
  const whole = withCountryCode(digits);
  return whole === digits ? { digits } : { digits: whole, written: digits };
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

/** Brazil's area codes. */
const brazilian = /^(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])$/u;

/**
 * Adds 55 to a Brazilian mobile written without it: area code, a nine, eight digits, perhaps with the trunk prefix 0. Whole numbers of
 * Peru, Madrid and others may have this form as well: their area code is no Brazilian one, or a contact has them (`checkRows`).
 */
function withCountryCode(digits: string): string {
  const national = digits.replace(/^0/u, "");
  return /^\d\d9\d{8}$/u.test(national) && brazilian.test(national.slice(0, 2)) ? `55${national}` : digits;
}

/**
 * Completes a number that stands beside its area code, as ERPs keep it: of Brazil's the country is told. A number with more digits
 * than one without area code, eight or nine, stays as it is. Pure.
 */
export function withAreaCode(areaCode: string, number: string): string {
  if (areaCode === "" || number.replaceAll(/\D/gu, "").length > 9) {
    return number;
  }
  const code = areaCode.replaceAll(/\D/gu, "").replace(/^0/u, "");
  return brazilian.test(code) ? `+55 ${code} ${number}` : `${areaCode} ${number}`;
}
