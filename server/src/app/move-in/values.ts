import { truncateText } from "#server/platform/truncate-text.ts";

/** Values of a source whose types differ from version to version. */

export function textOf(value: unknown, max = 10_000): string {
  return typeof value === "string"
    ? truncateText(value.replaceAll("\u0000", ""), max)
    : typeof value === "number"
      ? String(value)
      : "";
}

export function numberOf(value: unknown): number | null {
  const number =
    typeof value === "number" ? value : typeof value === "string" && value.trim() !== "" ? Number(value) : NaN;
  return Number.isFinite(number) ? number : null;
}

/** A whole number within these bounds; the lower one where there is none. */
export function intOf(value: unknown, min: number, max: number): number {
  return Math.min(Math.max(Math.trunc(numberOf(value) ?? min), min), max);
}

/** A time as JSON carries it; null where there is none. */
export function timeOf(value: unknown): string | null {
  const date = value instanceof Date ? value : typeof value === "string" && value !== "" ? new Date(value) : undefined;
  // Some rows have years that nobody lives in: they would stand above all others, and PostgreSQL does not read them from JSON.
  const year = date?.getUTCFullYear() ?? 0;
  return date && year >= 1970 && year <= 2199 ? date.toISOString() : null;
}

/** A day; null where there is none. "For ever" is written as a year that is far away. */
export function dayOf(value: unknown): string | null {
  const text = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : textOf(value);
  const year = Number(/^\+?(\d{4,6})-/u.exec(text)?.[1] ?? 0);
  return year > 2199 ? "2199-12-31" : (timeOf(text)?.slice(0, 10) ?? null);
}

export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === "true" || value === "enabled" || value === "1";
}

export function keyOf(row: Readonly<Record<string, unknown>>): string {
  return String(row["id"]);
}

/** Bare digits of a number; undefined where it cannot be one of WhatsApp's. */
export function phoneOf(value: unknown): string | undefined {
  const digits = textOf(value)
    .replace(/@(?:s\.whatsapp\.net|c\.us)$/u, "")
    .replaceAll(/\D/gu, "");
  return /^[1-9]\d{6,14}$/u.test(digits) ? digits : undefined;
}

/** The number as two spellings of it agree: with Brazil's ninth digit. The same as the database's `phone_key`. */
export function phoneKey(number: string): string {
  return number.replace(/^55([1-9]\d)([6-9]\d{7})$/u, "55$19$2");
}

/** A name that is not among the taken ones yet: `Vendas (2)`. Adds it to them. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n += 1) {
    free = `${name} (${n})`;
  }
  taken.add(free.toLowerCase());
  return free;
}
