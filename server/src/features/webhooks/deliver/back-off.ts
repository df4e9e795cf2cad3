import { webhookRules } from "@prosa/contract";
import { retryAfterMs } from "#server/platform/net/index.ts";

/** Share of a wait that is random, so that a receiver that comes back is not met by all at once. */
const jitter = 0.1;
/** No receiver keeps a delivery waiting longer by its Retry-After. */
const maxMs = 86_400_000;

/**
 * How long (ms) the next attempt waits after so many that failed; undefined: there is none. `retryAfter`: the header of a 429 or
 * 503, in seconds or as a date; it only makes the wait longer.
 */
export function nextAttemptMs(
  failed: number,
  { now, random, retryAfter }: { readonly now: Date; readonly random: number; readonly retryAfter: string | undefined },
): number | undefined {
  const seconds = webhookRules.retrySeconds[failed - 1];
  if (seconds === undefined) {
    return undefined;
  }
  const ownMs = seconds * 1_000 * (1 + jitter * (2 * random - 1));
  return Math.round(Math.min(maxMs, Math.max(ownMs, retryAfterMs(retryAfter, now) ?? 0)));
}
