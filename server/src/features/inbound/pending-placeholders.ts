import { z } from "zod";
import { asksBesideRating, isRatingTime, readRating } from "#server/features/bot/index.ts";
import { notifyDevices } from "#server/features/devices/index.ts";
import {
  assignmentAfter,
  lockTickets,
  recordRatings,
  recordTicketActivity,
  replyWaitsFor,
  ticketUpdated,
} from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { renamedTask } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { agentOf, canRate, isFilledPlaceholder, isHeldPlaceholder, readReopenMs } from "./chat-activity.ts";
import type { NewMessage } from "./chat-activity.ts";
import type { IncomingMessage } from "./parse-line-events.ts";
import {
  findEpisodeAwaitingRating,
  findPendingPlaceholder,
  findTicketOfPlaceholder,
} from "./pending-placeholders.queries.ts";

export const PLACEHOLDER_TIMEOUT_TASK = renamedTask("inbound.placeholder-timeout", {
  formerName: "inbound.open",
  since: "0.2.0",
});
/** The client asks the sender to retry at once: the content of a phone that is online arrives in seconds (ms). */
const timeoutMs = 2 * 60_000;

/** A held placeholder opens its ticket when its content has not arrived in time (decision 0097). */
export function enqueuePlaceholderTimeouts(ctx: Ctx, newMessages: readonly NewMessage[]): void {
  for (const each of newMessages) {
    const { ticket, message } = each;
    if (message.isNew && !ticket.isBlocked && isHeldPlaceholder(each)) {
      ctx.enqueue({
        task: PLACEHOLDER_TIMEOUT_TASK.enqueuedAs,
        payload: { messageId: message.id, episodeId: ticket.episodeId },
        key: `${PLACEHOLDER_TIMEOUT_TASK.enqueuedAs}:${message.id}`,
        runAt: new Date(ctx.now().getTime() + timeoutMs),
      });
    }
  }
}

/** Job of the timeout: the content did not arrive, so the ticket becomes pending as for a message that is no rating. */
export const openTicketForPlaceholder: JobHandler = async (job, { inCompany }) => {
  const { messageId, episodeId } = placeholder.parse(job.payload);
  await inCompany(async (ctx) => {
    const ticketId = await findTicketOfPlaceholder(ctx, messageId);
    const [ticket] = ticketId === undefined ? [] : await lockTickets(ctx, [ticketId]);
    const pending = ticket && (await findPendingPlaceholder(ctx, messageId, { ticketId: ticket.id, episodeId }));
    if (!pending) {
      return;
    }
    const { sentAt, finishedAt } = pending;
    const opensTo = agentOf({ ...ticket, finishedAt }, sentAt, await readReopenMs(ctx));
    const waitsFor = opensTo ? null : replyWaitsFor(ticket, sentAt);
    const last = {
      at: sentAt,
      body: "",
      mediaType: "unsupported",
      fromMe: false,
      unread: 1,
      waitingSince: sentAt,
      answeredAt: null,
    };
    const opening = { opensAt: sentAt, opensTo, waitsFor, awaitsReplyTo: null };
    const activity = { ticketId: ticket.id, ...last, ...opening };
    recordTicketActivity(ctx, [activity]);
    ctx.emit(ticketUpdated(ticket.id, ticket, assignmentAfter(activity) ?? ticket));
    await notifyDevices(ctx, [messageId]);
  });
};

/**
 * Records ratings whose content arrived after the timeout, when the ticket was open again. No reply is sent, because another
 * episode has begun. Returns those that ask for nothing else, which need no other answer.
 */
export async function recordLateRatings(
  ctx: Ctx,
  newMessages: readonly NewMessage[],
): Promise<ReadonlySet<IncomingMessage>> {
  const ratings = new Set<IncomingMessage>();
  for (const each of newMessages) {
    const { incoming, ticket } = each;
    const mayRate = isFilledPlaceholder(each) && incoming.mediaType === "chat" && !incoming.fromMe && !ticket.isGroup;
    if (!mayRate || ticket.isBlocked || canRate(each)) {
      continue;
    }
    const episode = await findEpisodeAwaitingRating(ctx, ticket.id, incoming.sentAt);
    const isInTime = episode && isRatingTime(episode.askedAt, incoming.sentAt);
    const rating = isInTime ? readRating(incoming.body) : undefined;
    if (episode && rating) {
      await recordRatings(ctx, [{ episodeId: episode.episodeId, rating }]);
      ctx.emit(ticketUpdated(ticket.id, ticket, ticket));
      if (!asksBesideRating(incoming.body)) {
        ratings.add(incoming);
      }
    }
  }
  return ratings;
}

const placeholder = z.object({ messageId: z.number(), episodeId: z.number() });
