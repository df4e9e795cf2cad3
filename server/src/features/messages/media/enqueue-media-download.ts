import type { Ctx } from "#server/platform/ctx.ts";
import { affinityOf } from "../line-jobs.ts";

/** So often a file is tried to be fetched; then it is shown as failed, with its retry. */
export const fetchTries = 5;

/** Wanted until now, on its way from here: the file of a message is fetched by the process that owns the line. */
export function enqueueMediaDownload(ctx: Ctx, connectionId: number, messageId: number): void {
  ctx.enqueue({
    task: "media.fetch",
    payload: { connectionId, messageId },
    affinity: affinityOf(connectionId),
    key: `media:${messageId}`,
    // Each kill of the process costs a try as well, and one is left to say that it failed.
    maxAttempts: 2 * fetchTries,
  });
}
