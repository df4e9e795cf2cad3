import type { FailPendingOnLineDeletion } from "#server/features/connections/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { CancelledJob } from "#server/platform/jobs/index.ts";
import { changePayload, failChange } from "./change/index.ts";
import { findMedia, downloadPayload, setMediaState } from "./media/index.ts";
import { messageUpdated } from "./messages.events.ts";
import { failMessages } from "./send/index.ts";

const reason = "connectionDeleted";

/** When a line is deleted: marks its queued messages, changes and downloads as failed, and publishes that. */
export const failPendingOnLineDeletion: FailPendingOnLineDeletion = async (ctx, connectionId, cancelled) => {
  await failMessages(ctx, connectionId, "all", reason);
  for (const job of cancelled) {
    const failed = await failJob(ctx, job);
    if (failed) {
      ctx.emit(messageUpdated(failed.ticketId, failed.messageId));
    }
  }
};

async function failJob(ctx: Ctx, { task, payload }: CancelledJob) {
  if (task === "messages.change") {
    const { messageId, change } = changePayload.parse(payload);
    const ticketId = await failChange(ctx, messageId, { kind: change.kind, reason });
    return ticketId === undefined ? undefined : { ticketId, messageId };
  }
  if (task === "media.fetch") {
    const { messageId } = downloadPayload.parse(payload);
    const media = await findMedia(ctx, messageId);
    return (await setMediaState(ctx, messageId, "failed", reason)) ? media : undefined;
  }
  return undefined;
}
