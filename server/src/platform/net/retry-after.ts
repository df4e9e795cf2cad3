/**
 * Milliseconds until the time that a header Retry-After names, 0 where it is past: in seconds, of which some services write fractions, or as
 * a date. Undefined where there is no header or it cannot be read.
 */
export function retryAfterMs(header: string | null | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? "";
  const ms = /^\d+(?:\.\d+)?$/u.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isFinite(ms) ? Math.max(0, Math.ceil(ms)) : undefined;
}
