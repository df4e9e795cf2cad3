/** How does typed text become a time of day? Pure. */

const fourDigits = /^([01]\d|2[0-3])([0-5]\d)$/u;

/** The input mask HH:MM: digits only, with the colon inserted. */
export function maskTime(text: string): string {
  const digits = text.replace(/\D/gu, "").slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}:${digits.slice(2)}` : digits;
}

/** Completes a partial time: `8` is 08:00, `830` is 08:30. Undefined for an invalid one. */
export function completeTime(text: string): string | undefined {
  const digits = text.replace(/\D/gu, "").slice(0, 4);
  const full = { 1: `0${digits}00`, 2: `${digits}00`, 3: `0${digits}`, 4: digits }[digits.length] ?? "";
  const [, hours, minutes] = fourDigits.exec(full) ?? [];
  return hours === undefined || minutes === undefined ? undefined : `${hours}:${minutes}`;
}
