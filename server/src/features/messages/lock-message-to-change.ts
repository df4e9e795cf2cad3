import { lockTicket, mustAct } from "#server/features/tickets/index.ts";
import type { TicketRow } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findMessage, lockMessage } from "./messages.queries.ts";
import type { MessageRow } from "./messages.queries.ts";

/** Only who may act on the ticket changes its messages, and only while it is open. */
export async function lockMessageToChange(ctx: Ctx, id: number): Promise<{ message: MessageRow; ticket: TicketRow }> {
  const { ticketId } = await findMessage(ctx, id);
  const ticket: TicketRow = await lockTicket(ctx, ticketId);
  mustAct(ctx.actor, ticket);
  if (ctx.actor.kind === "user" && ticket.status !== "open") {
    throw new AppError("ERR_TICKET_NOT_OPEN", { status: ticket.status });
  }
  return { message: await lockMessage(ctx, id), ticket };
}
