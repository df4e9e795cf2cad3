import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Logger } from "#server/platform/log/index.ts";

/** An external service that the product needs, such as the bucket or the mail server. */
export interface ExternalService {
  /** Its name in the log: `bucket`. */
  readonly name: string;
  /** What does not work without it, for the log. */
  readonly consequence: string;
  check(): Promise<void>;
}

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Checks a service once before the process serves. Throws ConfigError for a setting that can never work. Any other error
 * is logged and the check repeated in the background until it succeeds: an outage of the bucket must not stop messages.
 */
export async function checkExternalService(service: ExternalService, log: Logger, signal: AbortSignal): Promise<void> {
  const error = await attempt(service);
  if (error instanceof ConfigError) {
    throw error;
  }
  if (error !== undefined) {
    log.error(
      { err: error, service: service.name },
      `the ${service.name} is unavailable; until it answers, ${service.consequence}`,
    );
    void retryUntilAvailable(service, log, signal);
  }
}

async function retryUntilAvailable(service: ExternalService, log: Logger, signal: AbortSignal): Promise<void> {
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
    const error = signal.aborted ? undefined : await attempt(service);
    if (error === undefined) {
      if (!signal.aborted) {
        log.info({ service: service.name }, `the ${service.name} is available again`);
      }
      return;
    }
    log.warn({ err: error, service: service.name }, `the ${service.name} is still unavailable`);
  }
}

async function attempt({ check }: ExternalService): Promise<unknown> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error ?? new Error("no reason given");
  }
}
