/** Server time minus local time (ms): with a wrong local clock tokens must not look expired, nor old responses new. */
let skew = 0;
/** The Date header has whole seconds, and the response takes time: smaller differences are ignored (ms). */
const SAME_WITHIN = 2_000;

/** Learns the clock offset from the Date header of a response. */
export function syncServerClock(date: string | null): void {
  const offset = Date.parse(date ?? "") + 500 - Date.now();
  if (Number.isFinite(offset)) {
    skew = Math.abs(offset) < SAME_WITHIN ? 0 : offset;
  }
}

/** The server's time, as far as we know (ms since 1970). */
export function serverNow(): number {
  return Date.now() + skew;
}
