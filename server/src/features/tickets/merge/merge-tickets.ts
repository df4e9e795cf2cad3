import type { TicketStatus } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import { ticketDeleted, ticketReloaded, ticketUpdated } from "../tickets.events.ts";
import { deleteTicketRow, findTicket, saveTicket } from "../tickets.queries.ts";
import { finishEpisodeOf, mergeTicket, moveTickets } from "./merge-tickets.queries.ts";
import type { MergedTicket } from "./merge-tickets.queries.ts";

/**
 * Moves the messages of one ticket to another; implemented by the feature that owns them. Returns how many unread messages
 * both tickets counted, because each had a copy.
 */
export type MoveMessages = (ctx: Ctx, merged: MergedTicket, contactId: number) => Promise<number>;

const progress: readonly TicketStatus[] = ["closed", "pending", "open"];

/**
 * Moves the tickets of contact `from` to contact `to`, who are the same person. Where both have one on a connection, the
 * two are merged, with the messages, tags and products of both; if the other one was further on than the remaining ticket,
 * this takes over its status, owner and queue in a new episode: no bot answers whom a person serves (behaviour 5, rule 8).
 */
export async function mergeTickets(ctx: Ctx, from: number, to: number, moveMessages: MoveMessages): Promise<void> {
  const pairs = await moveTickets(ctx, from, to);
  for (const pair of pairs) {
    const removed = await findTicket(ctx, pair.from);
    const duplicateUnread = await moveMessages(ctx, pair, to);
    await mergeTicket(ctx, pair, duplicateUnread);
    await deleteTicketRow(ctx, pair.from);
    // Before the deletion is published: browsers that show the merged ticket switch to the one that stays.
    ctx.emit(ticketReloaded(pair.into, pair.from));
    ctx.emit(ticketDeleted(pair.from, removed));

    const kept = await findTicket(ctx, pair.into);
    if (progress.indexOf(removed.status) > progress.indexOf(kept.status)) {
      await finishEpisodeOf(ctx, kept.id);
      const { status, userId, queueId, chatbot } = removed;
      const episode = status === "open" ? "openStarted" : "openQueued";
      const change = { status, userId, queueId, chatbot };
      await saveTicket(ctx, kept, change, episode, (saved) => ticketUpdated(kept.id, kept, saved));
    } else {
      ctx.emit(ticketUpdated(kept.id, kept, kept));
    }
  }
}
