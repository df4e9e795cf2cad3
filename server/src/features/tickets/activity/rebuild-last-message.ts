import type { Ctx } from "#server/platform/ctx.ts";
import { ticketUpdated } from "../tickets.events.ts";
import { rebuildLastMessageRow } from "./last-message-preview.queries.ts";

/** Rewrites the last-message preview after messages were deleted, whichever is the last one now; empty where none is left. */
export async function rebuildLastMessage(ctx: Ctx, ticketId: number): Promise<void> {
  const assignment = await rebuildLastMessageRow(ctx, ticketId);
  if (assignment) {
    ctx.emit(ticketUpdated(ticketId, assignment, assignment));
  }
}
