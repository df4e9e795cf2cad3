import type { Ctx } from "#server/platform/ctx.ts";
import type { JobPriority } from "#server/platform/job-priority.ts";
import { lineAffinity } from "../line-jobs.ts";

/**
 * Attempts to download a file before it is shown as failed and a person may retry it. The last one is some two minutes after the
 * first: by then a line has noticed that it lost the network, and attempts of a line that is not connected do not count.
 */
export const maxDownloadAttempts = 7;

/** Enqueues the download of a message's file; the process that owns the line runs it. */
export function enqueueMediaDownload(
  ctx: Ctx,
  connectionId: number,
  messageId: number,
  priority: JobPriority = "notice",
): void {
  ctx.enqueue({
    task: "media.fetch",
    payload: { connectionId, messageId },
    affinity: lineAffinity(connectionId),
    key: `media:${messageId}`,
    priority,
    // A killed process uses up an attempt as well; some are left for the job to store the failure.
    maxAttempts: 2 * maxDownloadAttempts,
  });
}
