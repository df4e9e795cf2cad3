import type { Ctx } from "#server/platform/ctx.ts";
import { ticketRead, ticketUpdated } from "../tickets.events.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { setUnread } from "./mark-ticket-read.queries.ts";

/**
 * Sets the unread counter to zero after a user opened the conversation, or to `remaining` where messages came since
 * (M-14). Marking the messages and sending read receipts are up to the caller.
 */
export async function markTicketRead(ctx: Ctx, ticket: TicketRow, remaining = 0): Promise<void> {
  if (ticket.unreadMessages > remaining) {
    await setUnread(ctx, ticket.id, remaining);
    ctx.emit(remaining === 0 ? ticketRead(ticket.id, ticket) : ticketUpdated(ticket.id, ticket, ticket));
  }
}
