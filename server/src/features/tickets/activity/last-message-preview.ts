import type { Ctx } from "#server/platform/ctx.ts";
import { ticketUpdated } from "../tickets.events.ts";
import { updateLastMessagePreview } from "./last-message-preview.queries.ts";

/** Updates the last-message preview after an edit or deletion of that message, if it is the last one. Lock the ticket first. */
export async function refreshLastMessagePreview(ctx: Ctx, ticketId: number, messageId: number): Promise<void> {
  const assignment = await updateLastMessagePreview(ctx, ticketId, messageId);
  if (assignment) {
    ctx.emit(ticketUpdated(ticketId, assignment, assignment));
  }
}
