import type { TicketStatus } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import { ticketDeleted, ticketReloaded, ticketUpdated } from "../tickets.events.ts";
import { deleteTicketRow, findTicket, saveTicket } from "../tickets.queries.ts";
import { finishEpisodeOf, mergeTicket, moveTickets, takeOverBotState } from "./merge-tickets.queries.ts";
import type { MergedTicket } from "./merge-tickets.queries.ts";

/**
 * Moves the messages of one ticket to another; implemented by the feature that owns them. Returns how many unread messages
 * both tickets counted, because each had a copy.
 */
type MoveMessages = (ctx: Ctx, merged: MergedTicket, contactId: number) => Promise<number>;

/** What higher features do for a merge of tickets, while both are there. */
export interface TicketMergeParts {
  readonly moveMessages: MoveMessages;
  /** The bot or assistant of the ticket that goes is from now on that of the one that stays. */
  readonly onBotGoesOn: (ctx: Ctx, merged: MergedTicket) => Promise<void>;
}

const progress: readonly TicketStatus[] = ["closed", "pending", "open"];

/**
 * Moves the tickets of contact `from` to contact `to`, who are the same person. Where both have one on a connection, the
 * two are merged, with the messages, tags and products of both; if the other one was further on than the remaining ticket,
 * this takes over its status, owner, queue and automation in a new episode: no bot answers whom a person serves (behaviour 5,
 * rule 8), and a bot in the middle of its menu goes on there.
 */
export async function mergeTickets(
  ctx: Ctx,
  from: number,
  to: number,
  { moveMessages, onBotGoesOn }: TicketMergeParts,
): Promise<void> {
  const pairs = await moveTickets(ctx, from, to);
  for (const pair of pairs) {
    const removed = await findTicket(ctx, pair.from);
    const duplicateUnread = await moveMessages(ctx, pair, to);
    await mergeTicket(ctx, pair, duplicateUnread);
    // Before the deletion is published: browsers that show the merged ticket switch to the one that stays.
    ctx.emit(ticketReloaded(pair.into, pair.from));
    ctx.emit(ticketDeleted(pair.from, removed));

    const kept = await findTicket(ctx, pair.into);
    if (progress.indexOf(removed.status) > progress.indexOf(kept.status)) {
      await finishEpisodeOf(ctx, kept.id);
      const { status, userId, queueId, chatbot, useIntegration, integrationId, promptId } = removed;
      const episode = status === "open" ? "openStarted" : "openQueued";
      const change = { status, userId, queueId, chatbot, useIntegration, integrationId, promptId };
      await saveTicket(ctx, kept, change, episode, (saved) => ticketUpdated(kept.id, kept, saved));
      // After it, because a ticket that is saved without the bot has none until its next episode.
      await takeOverBotState(ctx, pair);
      if (chatbot) {
        await onBotGoesOn(ctx, pair);
      }
    } else {
      ctx.emit(ticketUpdated(kept.id, kept, kept));
    }
    await deleteTicketRow(ctx, pair.from);
  }
}
