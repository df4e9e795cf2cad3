import type { Ctx } from "#server/platform/ctx.ts";
import { ticketUpdated } from "../tickets.events.ts";
import { raiseVersionsOfLastMessages } from "./last-message-failure.queries.ts";

/**
 * Tells the lists that these messages failed, or failed no more, where they are the last ones: a view reads that from the
 * message itself (decision 0176). Lock the tickets before the messages.
 */
export async function refreshLastMessageFailure(ctx: Ctx, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0) {
    return;
  }
  for (const ticket of await raiseVersionsOfLastMessages(ctx, messageIds)) {
    ctx.emit(ticketUpdated(ticket.id, ticket, ticket));
  }
}
