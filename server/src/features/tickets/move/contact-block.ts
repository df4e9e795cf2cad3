import type { Ctx } from "#server/platform/ctx.ts";
import { lockTicketsOfContact } from "./contact-block.queries.ts";
import { save } from "../tickets.service.ts";
import { closing } from "../tickets.state.ts";

/**
 * Nobody waits who is blocked (decision 0091): their waiting tickets close without a word, and wait again when the block
 * is taken back. What a person serves stays with that person.
 */
export async function followBlock(ctx: Ctx, contactId: number, isBlocked: boolean): Promise<void> {
  for (const { isUnserved, ...ticket } of await lockTicketsOfContact(ctx, contactId)) {
    if (isBlocked && ticket.status === "pending") {
      await save(ctx, ticket, closing, "finish");
    } else if (!isBlocked && ticket.status === "closed" && isUnserved) {
      await save(ctx, ticket, { status: "pending", userId: null }, "openQueued");
    }
  }
}
