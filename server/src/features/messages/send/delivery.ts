import type { SendFailure } from "@prosa/contract";
import { countFailures } from "#server/features/connections/index.ts";
import { lockTickets, refreshLastMessageFailure } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { messageFailureChanged, messageUpdated } from "../messages.events.ts";
import { findTicketsOfQueued, saveAcks, saveFailures } from "./acks.queries.ts";
import type { DeliveredMessage, MessageIds } from "./acks.queries.ts";
import { requeueMessage } from "./send.queries.ts";

/**
 * Raises the ack of own messages, and publishes those that changed. Acks only move forward (behaviour 3): late and repeated
 * ones change nothing.
 */
export async function advanceAcks(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[],
  ack: 1 | 2 | 3 | 4 | 5,
): Promise<void> {
  const advanced = await saveAcks(ctx, connectionId, waIds, ack);
  advanced.forEach(({ id, ticketId }) => ctx.emit(messageUpdated(ticketId, id)));
  enqueueTracking(ctx, advanced);
  // What was given up and arrived all the same. That is known only now, so its ticket is locked after it.
  await publishFailureChange(
    ctx,
    advanced.filter(({ hadFailed }) => hadFailed),
  );
}

/** Marks queued messages as failed, those with these ids or `all` of the connection, and publishes it. Sent ones stay as they are. */
export async function failMessages(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[] | "all",
  reason: SendFailure,
): Promise<void> {
  const wanted = waIds === "all" ? null : waIds;
  // Lock order: tickets before messages. A failure of the last message changes its ticket's view.
  await lockTickets(ctx, await findTicketsOfQueued(ctx, connectionId, wanted));
  const failed = await saveFailures(ctx, connectionId, wanted, reason);
  failed.forEach(({ id, ticketId }) => ctx.emit(messageUpdated(ticketId, id)));
  enqueueTracking(ctx, failed);
  await countFailures(ctx, connectionId, reason, failed.length);
  await publishFailureChange(ctx, failed);
}

/** Queues a failed message again, under the same ids, for this connection, and publishes it. Lock its ticket first. */
export async function requeueFailed(ctx: Ctx, message: MessageIds, connectionId: number): Promise<void> {
  const isOfCampaign = await requeueMessage(ctx, message.id, connectionId);
  enqueueTracking(ctx, [{ ...message, isOfCampaign }]);
  ctx.emit(messageUpdated(message.ticketId, message.id));
  await publishFailureChange(ctx, [message]);
}

/** The job that brings the delivery of campaign messages to the results of their campaigns. */
export const campaignTrackTask = "campaigns.track";

/** One job for those of campaigns; in the lane they follow one another, so that the last one sees the last state. */
function enqueueTracking(ctx: Ctx, messages: readonly DeliveredMessage[]): void {
  const messageIds = messages.flatMap(({ id, isOfCampaign }) => (isOfCampaign ? [id] : []));
  if (messageIds.length > 0) {
    const lane = `campaign-track:${ctx.companyId}`;
    const payload = { messageIds, at: ctx.now().toISOString() };
    ctx.enqueue({ task: campaignTrackTask, payload, lane, priority: "bulk", maxAttempts: 100 });
  }
}

/** To what shows failures beside the conversation: the lists, and the schedule that a message was sent from. */
async function publishFailureChange(ctx: Ctx, messages: readonly MessageIds[]): Promise<void> {
  const ids = messages.map(({ id }) => id);
  ids.forEach((id) => ctx.emit(messageFailureChanged(id)));
  await refreshLastMessageFailure(ctx, ids);
}
