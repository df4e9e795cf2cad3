import type { Ctx } from "#server/platform/ctx.ts";
import { saveTicketChange } from "../tickets.service.ts";
import { closing } from "../tickets.state.ts";
import { lockTicketsOfContact, markClosedByBlock } from "./contact-block.queries.ts";

/**
 * Closes the pending tickets of a contact that was blocked, without a customer notice; makes these, and none that ended
 * otherwise, pending again when the contact is unblocked (decision 0091). Open tickets stay with the agent who serves them.
 */
export async function applyContactBlock(ctx: Ctx, contactId: number, isBlocked: boolean): Promise<void> {
  for (const { isClosedByBlock, ...ticket } of await lockTicketsOfContact(ctx, contactId)) {
    if (isBlocked && ticket.status === "pending") {
      await saveTicketChange(ctx, ticket, closing, "finish");
      await markClosedByBlock(ctx, ticket.id);
    } else if (!isBlocked && ticket.status === "closed" && isClosedByBlock) {
      await saveTicketChange(ctx, ticket, { status: "pending", userId: null }, "openQueued");
    }
  }
}
