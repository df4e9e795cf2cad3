import { AppError } from "#server/platform/ctx.ts";
import type { UserActor } from "#server/platform/ctx.ts";
import { mustAct, mustSee } from "../tickets.policy.ts";
import { changeOf, endOf, isChange, moveBetween, transferOf } from "../tickets.state.ts";
import type { TicketChange, TicketMove, TicketState, TransferTarget } from "../tickets.state.ts";

/**
 * What a move of this person changes, undefined where it is their own open ticket already; throws what forbids it. The
 * single call and the one for many ask here.
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

/** What a transfer by this person changes, undefined where it stands there already; throws what forbids it. */
export function decideTransfer(
  actor: UserActor,
  ticket: TicketState,
  target: TransferTarget,
): TicketChange | undefined {
  mustAct(actor, ticket);
  const change = transferOf(ticket, target);
  return isChange(ticket, change) ? change : undefined;
}
