import type { Format } from "#web/lib/text/format.ts";

/** Days, times and sums as everywhere else; undefined where it is none: somebody's words may look like one. */
export function writtenOf(code: string, format: Pick<Format, "date" | "dateTime" | "number">): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/u.test(code) && isInCalendar(code)) {
    return code.includes("T") ? format.dateTime(code) : format.date(code);
  }
  return /^-?(?:0|[1-9]\d{0,11})\.\d{1,2}$/u.test(code) ? format.number(Number(code)) : undefined;
}

/** Not so 31 February, which `Date` takes for a day of March. */
function isInCalendar(code: string): boolean {
  const at = new Date(code);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(code.slice(0, 10));
}
