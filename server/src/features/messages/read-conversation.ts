import { lockTicket, lockTicketOf, mustSee, readTicket } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { markMessagesRead } from "./messages.queries.ts";
import { affinityOf } from "./messages.rules.ts";
import { markReadTo } from "./read-on-phone.queries.ts";

/** Somebody looks at the conversation: unread goes to zero, and the contact is told (M-14). */
export async function markConversationRead(ctx: Ctx, ticketId: number): Promise<void> {
  const ticket = await lockTicket(ctx, ticketId);
  mustSee(ctx.actor, ticket);
  const read = await markMessagesRead(ctx, ticketId);
  await readTicket(ctx, ticket);

  if (read.length > 0 && ticket.connectionId !== null) {
    ctx.enqueue({
      task: "messages.receipts",
      payload: { connectionId: ticket.connectionId, contactId: ticket.contactId, read },
      affinity: affinityOf(ticket.connectionId),
      maxAttempts: 20,
    });
  }
}

/**
 * The owner read the conversation on the phone, up to the newest of these messages; null: all that is here. The phone has
 * told the contact, if anybody is to tell them.
 */
export async function readOnPhone(
  ctx: Ctx,
  { connectionId, contactId }: { readonly connectionId: number; readonly contactId: number },
  waIds: readonly string[] | null,
): Promise<void> {
  const ticket = await lockTicketOf(ctx, connectionId, contactId);
  if (!ticket) {
    return;
  }
  let remaining = 0;
  if (waIds === null) {
    await markMessagesRead(ctx, ticket.id);
  } else {
    remaining = await markReadTo(ctx, { connectionId, ticketId: ticket.id }, waIds);
  }
  await readTicket(ctx, ticket, remaining);
}
