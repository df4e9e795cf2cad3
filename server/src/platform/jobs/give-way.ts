import type { JobPriority } from "../job-priority.ts";

/** The most that one transaction of a job waits: jobs are slowed, not stopped. */
const MAX_WAIT_MS = 1_000;
const LOOK_AGAIN_MS = 50;

/**
 * Waits before a transaction of a job while the browsers get events late: as long as they are late, at most a second. A
 * job that a person waits for does not.
 */
export async function giveWay(priority: JobPriority, lagMs: () => number, signal: AbortSignal): Promise<void> {
  if (priority === "interactive") {
    return;
  }
  for (let waited = 0; waited < Math.min(lagMs(), MAX_WAIT_MS) && !signal.aborted; waited += LOOK_AGAIN_MS) {
    await new Promise<void>((resolve) => void setTimeout(resolve, LOOK_AGAIN_MS).unref());
  }
}
