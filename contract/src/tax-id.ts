import { z } from "zod";

/** CPF or CNPJ, with or without punctuation; stored as digits. */
export const taxId = z
  .string()
  .max(30, "Too Long!")
  .transform((value) => value.replace(/\D/g, ""))
  .refine((digits) => digits === "" || isTaxId(digits), "Invalid CPF or CNPJ");

/** Are the two check digits of a CPF (11 digits) or a CNPJ (14) right? */
export function isTaxId(digits: string): boolean {
  if (/^(\d)\1*$/.test(digits)) {
    return false;
  }
  if (digits.length === 11) {
    return [9, 10].every((base) => hasCheckDigit(digits, base, (place) => base + 1 - place));
  }
  return (
    digits.length === 14 &&
    [12, 13].every((base) => hasCheckDigit(digits, base, (place) => ((base - 1 - place) % 8) + 2))
  );
}

/** Modulo 11 of the first `base` digits, each times the weight of its place. */
function hasCheckDigit(digits: string, base: number, weightOf: (place: number) => number): boolean {
  const sum = [...digits.slice(0, base)].reduce((total, digit, place) => total + Number(digit) * weightOf(place), 0);
  const rest = sum % 11;
  return Number(digits[base]) === (rest < 2 ? 0 : 11 - rest);
}
