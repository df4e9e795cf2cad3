import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Logger } from "#server/platform/log/index.ts";

/** A server outside that the product needs, such as the bucket or the mail server. */
export interface Outside {
  /** As the log calls it: `bucket`. */
  readonly name: string;
  /** What does not work without it, for whoever reads the log. */
  readonly without: string;
  check(): Promise<void>;
}

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Tries once, before the process serves. A setting that can never work is thrown, as ConfigError; what may be a matter
 * of time is said, and tried again until it works: a bucket that is away for an hour must not keep people from writing.
 */
export async function checkOutside(outside: Outside, log: Logger, signal: AbortSignal): Promise<void> {
  const error = await attempt(outside);
  if (error instanceof ConfigError) {
    throw error;
  }
  if (error !== undefined) {
    log.error(
      { err: error, outside: outside.name },
      `the ${outside.name} does not answer; until it does, ${outside.without}`,
    );
    void keepTrying(outside, log, signal);
  }
}

async function keepTrying(outside: Outside, log: Logger, signal: AbortSignal): Promise<void> {
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
    const error = signal.aborted ? undefined : await attempt(outside);
    if (error === undefined) {
      if (!signal.aborted) {
        log.info({ outside: outside.name }, `the ${outside.name} answers`);
      }
      return;
    }
    log.warn({ err: error, outside: outside.name }, `the ${outside.name} still does not answer`);
  }
}

async function attempt({ check }: Outside): Promise<unknown> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error ?? new Error("no reason given");
  }
}
