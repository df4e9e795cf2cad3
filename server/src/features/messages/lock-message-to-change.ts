import { lockTicket, mustAct } from "#server/features/tickets/index.ts";
import type { TicketRow } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findMessage, lockMessage } from "./messages.queries.ts";
import type { MessageRow } from "./messages.queries.ts";

/**
 * Locks a message and its ticket for a change. People need the right to act on the ticket, and the ticket must be open: else
 * ERR_TICKET_NOT_OPEN.
 */
export async function lockMessageToChange(ctx: Ctx, id: number): Promise<{ message: MessageRow; ticket: TicketRow }> {
  const { ticketId } = await findMessage(ctx, id);
  const ticket: TicketRow = await lockTicket(ctx, ticketId);
  mustAct(ctx.actor, ticket);
  if (ctx.actor.kind === "user" && ticket.status !== "open") {
    throw new AppError("ERR_TICKET_NOT_OPEN", { status: ticket.status });
  }
  return { message: await lockMessage(ctx, id), ticket };
}
