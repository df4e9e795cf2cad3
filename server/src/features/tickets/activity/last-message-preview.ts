import type { Ctx } from "#server/platform/ctx.ts";
import { updateLastMessagePreview } from "./last-message-preview.queries.ts";
import { ticketUpdated } from "../tickets.events.ts";

/** A message of a ticket was edited or deleted: where it is the last one, lists show it as it is now. Lock the ticket first. */
export async function refreshLastMessagePreview(ctx: Ctx, ticketId: number, messageId: number): Promise<void> {
  const place = await updateLastMessagePreview(ctx, ticketId, messageId);
  if (place) {
    ctx.emit(ticketUpdated(ticketId, place, place));
  }
}
