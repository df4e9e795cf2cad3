import { refreshLastMessagePreview } from "#server/features/tickets/index.ts";
import type { RestoreWithdrawn, WithdrawPaused } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { hastenJobs } from "#server/platform/jobs/index.ts";
import { lineAffinity } from "../line-jobs.ts";
import { messageUpdated } from "../messages.events.ts";
import { enqueueChatSend, newWaId, waitsForPause } from "../send/index.ts";
import { enqueueChangeSend } from "./change-message.ts";
import { restoreWithdrawnRows, withdrawPausedRows } from "./withdraw-paused.queries.ts";
import type { WithdrawnMessage } from "./withdraw-paused.queries.ts";

/**
 * Deletes what the bot has still to say in these tickets, as a person deletes a queued message: the row stays as a marker. A line whose
 * clock is ahead may be sending one at this moment; the change that follows in the chat's lane revokes it there.
 */
export const withdrawPaused: WithdrawPaused = async (ctx, ticketIds) => {
  const withdrawn = await withdrawPausedRows(ctx, ticketIds);
  for (const { id: messageId, ticketId, connectionId } of withdrawn) {
    enqueueChangeSend(ctx, ticketId, { messageId, connectionId, waId: newWaId(), change: { kind: "revoke" } });
  }
  const byTicket = await publishChanged(ctx, withdrawn);
  // What is written next in the chat would wait behind the pause.
  for (const connectionId of new Set(withdrawn.map((message) => message.connectionId))) {
    await hastenJobs(ctx, lineAffinity(connectionId), waitsForPause);
  }
  return byTicket;
};

/** Queues withdrawn messages again, with their pauses. The change that was to revoke one finds that it is no longer deleted. */
export const restoreWithdrawn: RestoreWithdrawn = async (ctx, messageIds) => {
  const restored = await restoreWithdrawnRows(ctx, messageIds);
  await publishChanged(ctx, restored);
  for (const [ticketId, [first]] of Map.groupBy(restored, (message) => message.ticketId)) {
    enqueueChatSend(ctx, { connectionId: first!.connectionId, ticketId, priority: "interactive" });
  }
};

/** Publishes the messages, the oldest first, and refreshes the previews of their tickets. Returns their ids by ticket. */
async function publishChanged(ctx: Ctx, messages: readonly WithdrawnMessage[]): Promise<Map<number, number[]>> {
  const byTicket = new Map<number, number[]>();
  for (const { id, ticketId } of messages) {
    ctx.emit(messageUpdated(ticketId, id));
    byTicket.set(ticketId, [...(byTicket.get(ticketId) ?? []), id]);
  }
  for (const [ticketId, ids] of byTicket) {
    await refreshLastMessagePreview(ctx, ticketId, ids.at(-1)!);
  }
  return byTicket;
}
