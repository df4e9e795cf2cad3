import type { Ctx } from "#server/platform/ctx.ts";
import { mergeTicket, moveTickets } from "./merge-tickets.queries.ts";
import type { MergedTicket } from "./merge-tickets.queries.ts";
import { ticketDeleted, ticketReloaded, ticketUpdated } from "../tickets.events.ts";
import { deleteTicketRow, findTicket, saveTicket } from "../tickets.queries.ts";

/**
 * Moves the messages of one ticket to another; given by the feature that owns them. Returns how many unread ones both
 * counted that are one message.
 */
export type MoveMessages = (ctx: Ctx, merged: MergedTicket, contactId: number) => Promise<number>;

/**
 * Two contacts turned out to be one person: the tickets of `from` become those of `to`. Where both have one on a
 * connection there is one afterwards, with both conversations and the tags and products of both; if the one that stays was closed and the other live,
 * it waits for a person again.
 */
export async function mergeTickets(ctx: Ctx, from: number, to: number, moveMessages: MoveMessages): Promise<void> {
  const twins = await moveTickets(ctx, from, to);
  for (const twin of twins) {
    const gone = await findTicket(ctx, twin.from);
    const countedTwice = await moveMessages(ctx, twin, to);
    await mergeTicket(ctx, twin, countedTwice);
    await deleteTicketRow(ctx, twin.from);
    // First of all: who looks at the one that went is shown the one that stays, before that one is told to be gone.
    ctx.emit(ticketReloaded(twin.into, twin.from));
    ctx.emit(ticketDeleted(twin.from, gone));

    const kept = await findTicket(ctx, twin.into);
    if (kept.status === "closed" && gone.status !== "closed") {
      const { status, userId, queueId, chatbot } = gone;
      const started = status === "open" ? "openStarted" : "openQueued";
      ctx.emit(
        ticketUpdated(kept.id, kept, await saveTicket(ctx, kept, { status, userId, queueId, chatbot }, started)),
      );
    } else {
      ctx.emit(ticketUpdated(kept.id, kept, kept));
    }
  }
}
