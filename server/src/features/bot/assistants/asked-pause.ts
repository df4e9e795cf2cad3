import { RetryLater } from "#server/platform/jobs/index.ts";
import type { AssistantRequest } from "./assistant-driver.ts";

/** A service that limits calls says when to come again (Retry-After): a customer waits for it this long (ms) in all, then a person comes. */
export const longestPauseMs = 45_000;
const leastPauseMs = 1_000;
/** Share of a pause that is added at random: those that were refused together do not come together again. */
const jitter = 0.2;

/**
 * The pause that the service behind an assistant asked for, to be thrown: no try is counted. Undefined where it asked for none, and where
 * the customer would have waited too long by then, who gets a person after the usual tries.
 */
export function pauseAskedFor(
  retryAfterMs: number,
  { waitsSince }: Pick<AssistantRequest, "waitsSince">,
  now: Date,
  reason: string,
): RetryLater | undefined {
  const waitedMs = now.getTime() - waitsSince.getTime();
  return retryAfterMs > 0 && waitedMs + retryAfterMs <= longestPauseMs
    ? new RetryLater(Math.max(leastPauseMs, retryAfterMs) * (1 + jitter * Math.random()), reason)
    : undefined;
}
