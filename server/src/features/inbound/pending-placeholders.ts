import { z } from "zod";
import { readRating } from "#server/features/bot/index.ts";
import { ringDevices } from "#server/features/devices/index.ts";
import { lockTickets, recordRatings, recordChatActivity, ticketUpdated } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { renamedTask } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import {
  findEpisodeAwaitingRating,
  findPendingPlaceholder,
  findTicketOfPlaceholder,
} from "./pending-placeholders.queries.ts";
import type { IncomingMessage } from "./parse-line-events.ts";
import { canRate, isFilled } from "./chat-activity.ts";
import type { NewMessage } from "./chat-activity.ts";

export const OPEN_PLACEHOLDER_TASK = renamedTask("inbound.placeholder-timeout", {
  formerName: "inbound.open",
  since: "0.2.0",
});
/** The sender is asked again at once: the words of a phone that is online are here in seconds. */
const waitMs = 2 * 60_000;

/** A stub that may be the rating that was asked for opens nothing by itself; without its words it soon does (decision 0097). */
export function enqueuePendingPlaceholders(ctx: Ctx, news: readonly NewMessage[]): void {
  for (const each of news) {
    const { incoming, ticket, message } = each;
    if (incoming.isPlaceholder && !incoming.fromMe && message.isNew && !ticket.isBlocked && canRate(each)) {
      ctx.enqueue({
        task: OPEN_PLACEHOLDER_TASK.enqueuedAs,
        payload: { messageId: message.id, episodeId: ticket.episodeId },
        key: `${OPEN_PLACEHOLDER_TASK.enqueuedAs}:${message.id}`,
        runAt: new Date(ctx.now().getTime() + waitMs),
      });
    }
  }
}

/** The words did not come: whoever wrote them waits now, as with any word that is no rating. */
export const openTicketForPlaceholder: JobHandler = async (job, { inCompany }) => {
  const { messageId, episodeId } = held.parse(job.payload);
  await inCompany(async (ctx) => {
    const ticketId = await findTicketOfPlaceholder(ctx, messageId);
    const [ticket] = ticketId === undefined ? [] : await lockTickets(ctx, [ticketId]);
    const sentAt = ticket && (await findPendingPlaceholder(ctx, messageId, { ticketId: ticket.id, episodeId }));
    if (!sentAt) {
      return;
    }
    const last = { at: sentAt, body: "", mediaType: "unsupported", fromMe: false };
    await recordChatActivity(ctx, [{ ticketId: ticket.id, ...last, unread: 1, opensAt: sentAt, opensTo: null }]);
    ctx.emit(ticketUpdated(ticket.id, ticket, { status: "pending", queueId: null, userId: null }));
    await ringDevices(ctx, [messageId]);
  });
};

/**
 * Words that came too late to keep their ticket closed, and are the rating that it had asked for. It counts, and nothing
 * is said: another conversation has begun. Gives those words, which are meant for nobody else.
 */
export async function recordLateRatings(ctx: Ctx, news: readonly NewMessage[]): Promise<ReadonlySet<IncomingMessage>> {
  const taken = new Set<IncomingMessage>();
  for (const each of news) {
    const { incoming, ticket } = each;
    const mayRate = isFilled(each) && incoming.mediaType === "chat" && !incoming.fromMe && !ticket.isGroup;
    if (!mayRate || ticket.isBlocked || canRate(each)) {
      continue;
    }
    const asked = await findEpisodeAwaitingRating(ctx, ticket.id, incoming.sentAt);
    const rating = asked && readRating(incoming.body, asked.askedAt, incoming.sentAt);
    if (rating) {
      await recordRatings(ctx, [{ episodeId: asked.episodeId, rating }]);
      ctx.emit(ticketUpdated(ticket.id, ticket, ticket));
      taken.add(incoming);
    }
  }
  return taken;
}

const held = z.object({ messageId: z.number(), episodeId: z.number() });
