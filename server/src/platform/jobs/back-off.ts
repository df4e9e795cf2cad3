import type { Job } from "./job.ts";

const LANE_SECONDS = [1, 2, 5, 10];
const MAX_SECONDS = 3_600;

/**
 * Seconds until a failed job is retried. In a lane other jobs wait behind it, so 1, 2, 5, then 10 s. Without a lane it
 * doubles from 2 s up to an hour, with jitter so that jobs that failed together are not retried together.
 */
export function backOffSeconds(job: Pick<Job, "lane" | "attempt">, random: () => number = Math.random): number {
  if (job.lane !== null) {
    return LANE_SECONDS[Math.min(job.attempt, LANE_SECONDS.length) - 1] ?? 1;
  }
  return Math.min(2 ** job.attempt, MAX_SECONDS) * (0.75 + random() / 2);
}
