import { recordAudit } from "#server/platform/audit/index.ts";
import { requireUser } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { ticketDeleted, ticketUpdated } from "./tickets.events.ts";
import { mustSee } from "./tickets.policy.ts";
import { deleteTicketRow, findTicket, findTicketsOf, lockTicket, saveTicket } from "./tickets.queries.ts";
import type { EpisodeStep, SavedTicket, TicketRow } from "./tickets.queries.ts";
import { isChange } from "./tickets.state.ts";
import type { TicketChange } from "./tickets.state.ts";

/** Deletes the ticket and its conversation; who may is a rule of the route (T-18). */
export async function deleteTicket(ctx: Ctx, id: number): Promise<void> {
  const ticket = await lockTicket(ctx, id);
  mustSee(ctx.actor, ticket);

  await deleteTicketRow(ctx, id);
  ctx.emit(ticketDeleted(id, ticket));
  await recordAudit(ctx, {
    action: "ticket.deleted",
    target: { type: "ticket", id },
    contactId: ticket.contactId,
    details: { contactId: ticket.contactId },
  });
}

/** Tells the browsers that the tickets of a contact go: the deletion of its row, which follows, cascades to them. */
export async function emitTicketsDeleted(ctx: Ctx, contactId: number): Promise<void> {
  for (const ticket of await findTicketsOf(ctx, contactId)) {
    ctx.emit(ticketDeleted(ticket.id, ticket));
  }
}

/** ERR_NO_TICKET_FOUND, or ERR_NO_PERMISSION for a ticket that the actor may not see. */
export async function visibleTicket(ctx: Ctx, id: number): Promise<TicketRow> {
  const ticket = await findTicket(ctx, id);
  mustSee(ctx.actor, ticket);
  return ticket;
}

/** Id of the acting user; ERR_NO_PERMISSION for a system actor. */
export function requireUserId(ctx: Ctx): number {
  return requireUser(ctx).userId;
}

/** Saves a change with its event `ticket.updated`; does neither where the change alters nothing. */
export async function saveTicketChange(
  ctx: Ctx,
  ticket: TicketRow,
  change: TicketChange & { readonly connectionId?: number },
  episode: EpisodeStep,
): Promise<SavedTicket> {
  const isConnectionChanged = change.connectionId !== undefined && change.connectionId !== ticket.connectionId;
  if (!isConnectionChanged && !isChange(ticket, change)) {
    return { ticket, view: null };
  }
  return saveTicket(ctx, ticket, change, episode, (saved) => ticketUpdated(ticket.id, ticket, saved));
}
