import { lockTicket, mustSee, markTicketRead } from "#server/features/tickets/index.ts";
import type { TicketRow } from "#server/features/tickets/index.ts";
import type { Actor, Ctx } from "#server/platform/ctx.ts";
import { lineAffinity } from "../line-jobs.ts";
import { markMessagesRead } from "./read.queries.ts";

/**
 * A user opened the conversation. Its owner has read it (M-14); a look of anybody else changes nothing (behaviour 1). Returns
 * how many messages of the contact it has marked as read.
 */
export async function openConversation(ctx: Ctx, ticketId: number): Promise<number> {
  const ticket = await lockTicket(ctx, ticketId);
  mustSee(ctx.actor, ticket);
  if (!isOwner(ctx.actor, ticket)) {
    return 0;
  }
  await markConversationRead(ctx, ticket);
  return ticket.unreadMessages;
}

/** A pending ticket has no owner: its user, if it has one, is whom it waits for (decision 0144). */
export function isOwner(actor: Actor | undefined, { status, userId }: Pick<TicketRow, "status" | "userId">): boolean {
  return actor?.kind === "user" && actor.userId === userId && status !== "pending";
}

/** Resets the unread count and enqueues the read receipts: the conversation was opened by its owner, or answered. Lock the ticket first. */
export async function markConversationRead(ctx: Ctx, ticket: TicketRow): Promise<void> {
  const read = await markMessagesRead(ctx, ticket.id);
  await markTicketRead(ctx, ticket);

  if (read.length > 0 && ticket.connectionId !== null) {
    ctx.enqueue({
      task: "messages.receipts",
      payload: { connectionId: ticket.connectionId, contactId: ticket.contactId, read },
      affinity: lineAffinity(ticket.connectionId),
      maxAttempts: 20,
    });
  }
}
