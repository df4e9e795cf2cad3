import { lockTicket, mustSee, markTicketRead } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { affinityOf } from "../line-jobs.ts";
import { markMessagesRead } from "./read.queries.ts";

/** Somebody looks at the conversation: unread goes to zero, and the contact is told (M-14). */
export async function markConversationRead(ctx: Ctx, ticketId: number): Promise<void> {
  const ticket = await lockTicket(ctx, ticketId);
  mustSee(ctx.actor, ticket);
  const read = await markMessagesRead(ctx, ticketId);
  await markTicketRead(ctx, ticket);

  if (read.length > 0 && ticket.connectionId !== null) {
    ctx.enqueue({
      task: "messages.receipts",
      payload: { connectionId: ticket.connectionId, contactId: ticket.contactId, read },
      affinity: affinityOf(ticket.connectionId),
      maxAttempts: 20,
    });
  }
}
