import type { Ctx } from "#server/platform/ctx.ts";
import { ticketRead, ticketUpdated } from "../tickets.events.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { setUnread } from "./mark-ticket-read.queries.ts";

/**
 * The conversation was looked at: no message of it is unread, or only those that came since (M-14). Messages and receipts
 * are the caller's.
 */
export async function markTicketRead(ctx: Ctx, ticket: TicketRow, remaining = 0): Promise<void> {
  if (ticket.unreadMessages > remaining) {
    await setUnread(ctx, ticket.id, remaining);
    ctx.emit(remaining === 0 ? ticketRead(ticket.id, ticket) : ticketUpdated(ticket.id, ticket, ticket));
  }
}
