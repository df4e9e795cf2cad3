import type { SystemTx } from "../db/index.ts";
import { truncateText } from "../truncate-text.ts";
import { backOffSeconds } from "./back-off.ts";
import { moveToDeadLetters, releaseJob } from "./job-store.ts";
import { NoRetry } from "./job.ts";
import type { Job } from "./job.ts";

/**
 * Outcome of a failed attempt: another one after the back-off, or the dead letters after the last attempt and after
 * `NoRetry`.
 */
export async function retryOrGiveUp(tx: SystemTx, job: Job, error: unknown, now: Date): Promise<void> {
  const text = error instanceof Error ? truncateText(`${error.name}: ${error.message}`, 1_000) : "unknown error";
  if (isLastAttempt(job) || error instanceof NoRetry) {
    await moveToDeadLetters(tx, job, text);
  } else {
    const runAt = new Date(now.getTime() + backOffSeconds(job) * 1_000);
    await releaseJob(tx, job, { runAt, error: text });
  }
}

/**
 * Outcome of an attempt whose process died: another one at once. A job that kills its process each time ends in the
 * dead letters too.
 */
export async function retryAfterCrash(tx: SystemTx, job: Job): Promise<void> {
  const error = `The process ${job.leasedBy} went away`;
  await (isLastAttempt(job) ? moveToDeadLetters(tx, job, error) : releaseJob(tx, job, { error }));
}

function isLastAttempt({ attempt, maxAttempts }: Job): boolean {
  return attempt >= maxAttempts;
}
