import { refreshLastMessagePreview } from "#server/features/tickets/index.ts";
import type { WithdrawPaused } from "#server/features/tickets/index.ts";
import { hastenJobs } from "#server/platform/jobs/index.ts";
import { lineAffinity } from "../line-jobs.ts";
import { messageUpdated } from "../messages.events.ts";
import { newWaId, waitsForPause } from "../send/index.ts";
import { enqueueChangeSend } from "./change-message.ts";
import { withdrawPausedRows } from "./withdraw-paused.queries.ts";

/**
 * Deletes what the bot has still to say in these tickets, as a person deletes a queued message: the row stays as a marker. A line whose
 * clock is ahead may be sending one at this moment; the change that follows in the chat's lane revokes it there.
 */
export const withdrawPaused: WithdrawPaused = async (ctx, ticketIds) => {
  const withdrawn = await withdrawPausedRows(ctx, ticketIds);
  for (const { id: messageId, ticketId, connectionId } of withdrawn) {
    ctx.emit(messageUpdated(ticketId, messageId));
    enqueueChangeSend(ctx, ticketId, { messageId, connectionId, waId: newWaId(), change: { kind: "revoke" } });
  }
  for (const [ticketId, messages] of Map.groupBy(withdrawn, (message) => message.ticketId)) {
    await refreshLastMessagePreview(ctx, ticketId, messages.at(-1)!.id);
  }
  // What is written next in the chat would wait behind the pause.
  for (const connectionId of new Set(withdrawn.map((message) => message.connectionId))) {
    await hastenJobs(ctx, lineAffinity(connectionId), waitsForPause);
  }
  return withdrawn.length > 0;
};
