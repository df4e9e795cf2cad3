import type { Ctx } from "#server/platform/ctx.ts";
import { ticketUpdated } from "../tickets.events.ts";
import { lockTickets } from "../tickets.queries.ts";
import { rebuildLastMessageRow } from "./last-message-preview.queries.ts";

/**
 * Rewrites what a ticket tells of its messages after some were deleted or moved away: the last one, whichever it is now (empty where none
 * is left), how many are unread, and since when the customer waits.
 */
export async function rebuildLastMessage(ctx: Ctx, ticketId: number): Promise<void> {
  // In a statement of its own: one that waited for the lock would rewrite the row from the messages as of its start.
  await lockTickets(ctx, [ticketId]);
  const assignment = await rebuildLastMessageRow(ctx, ticketId);
  if (assignment) {
    ctx.emit(ticketUpdated(ticketId, assignment, assignment));
  }
}
