import { lockTicket, mustSee, markTicketRead } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { lineAffinity } from "../line-jobs.ts";
import { markMessagesRead } from "./read.queries.ts";

/** A user opened the conversation: resets the unread count and enqueues the read receipts (M-14). */
export async function markConversationRead(ctx: Ctx, ticketId: number): Promise<void> {
  const ticket = await lockTicket(ctx, ticketId);
  mustSee(ctx.actor, ticket);
  const read = await markMessagesRead(ctx, ticketId);
  await markTicketRead(ctx, ticket);

  if (read.length > 0 && ticket.connectionId !== null) {
    ctx.enqueue({
      task: "messages.receipts",
      payload: { connectionId: ticket.connectionId, contactId: ticket.contactId, read },
      affinity: lineAffinity(ticket.connectionId),
      maxAttempts: 20,
    });
  }
}
