/** Server time minus ours (ms): a laptop with a wrong clock must not see dead tokens, nor old answers as new ones. */
let skew = 0;
/** The Date header counts whole seconds, and the answer was on its way: what is closer than this is no difference (ms). */
const SAME_WITHIN = 2_000;

/** Each answer says when it was made (its Date header). */
export function learnServerTime(date: string | null): void {
  const offset = Date.parse(date ?? "") + 500 - Date.now();
  if (Number.isFinite(offset)) {
    skew = Math.abs(offset) < SAME_WITHIN ? 0 : offset;
  }
}

/** The server's time, as far as we know (ms since 1970). */
export function serverNow(): number {
  return Date.now() + skew;
}
