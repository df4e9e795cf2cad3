import { AppError } from "#server/platform/ctx.ts";
import type { UserActor } from "#server/platform/ctx.ts";
import { mustAct, mustSee } from "../tickets.policy.ts";
import { changeOf, endOf, isChange, moveBetween, transferOf } from "../tickets.state.ts";
import type { TicketChange, TicketMove, TicketState, TransferTarget } from "../tickets.state.ts";

/**
 * The change that a move by this user makes; undefined where the ticket is open and theirs already. Throws ERR_TICKET_TAKEN,
 * ERR_NO_PERMISSION or ERR_TICKET_TRANSITION. Shared by the single call and the bulk.
 */
export function decideMove(actor: UserActor, ticket: TicketState, verb: TicketMove): TicketChange | undefined {
  if (endOf[verb] === "open" && ticket.status === "open") {
    if (ticket.userId === actor.userId) {
      return undefined;
    }
    mustSee(actor, ticket);
    throw new AppError("ERR_TICKET_TAKEN", { ticketId: ticket.id });
  }
  mustAct(actor, ticket);
  if (moveBetween(ticket.status, endOf[verb]) !== verb) {
    throw new AppError("ERR_TICKET_TRANSITION", { from: ticket.status, to: endOf[verb] });
  }
  return changeOf(verb, actor.userId);
}

/** The change that a transfer by this user makes; undefined where it alters nothing. Throws ERR_NO_PERMISSION or ERR_TICKET_TRANSITION. */
export function decideTransfer(
  actor: UserActor,
  ticket: TicketState,
  target: TransferTarget,
): TicketChange | undefined {
  mustAct(actor, ticket);
  const change = transferOf(ticket, target);
  return isChange(ticket, change) ? change : undefined;
}
