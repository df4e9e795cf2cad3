/** Digits of a number in any spelling, or of the address of a phone. */
export const digitsOf = (text: string): string =>
  (text.split("@", 1)[0] ?? "").split(":", 1)[0]?.replaceAll(/\D/g, "") ?? "";

/**
 * The other spelling of a Brazilian mobile number: older accounts live under the number without the ninth digit.
 * 55 + area code of two digits + 9 + eight digits, or the same without the 9.
 */
export function otherBrazilianSpelling(number: string): string | undefined {
  if (/^55\d{2}9\d{8}$/.test(number)) {
    return number.slice(0, 4) + number.slice(5);
  }
  if (/^55\d{2}[6-9]\d{7}$/.test(number)) {
    return `${number.slice(0, 4)}9${number.slice(4)}`;
  }
  return undefined;
}

/** Numbers that could exist. Those that end in 0000 never do, so that a test or demo has one that does not. */
export const isPlausibleNumber = (number: string): boolean => /^\d{10,15}$/.test(number) && !number.endsWith("0000");
