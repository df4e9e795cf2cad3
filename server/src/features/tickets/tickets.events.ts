import type { DomainEvent } from "#server/platform/ctx.ts";
import type { TicketAssignment } from "./tickets.policy.ts";

/** Where a ticket stood and stands: which lists lose it and which have it now. `from` is null for a new ticket. */
export function ticketUpdated(ticketId: number, from: TicketAssignment | null, to: TicketAssignment): DomainEvent {
  return { type: "ticket.updated", payload: { ticketId, from: from && place(from), to: place(to) } };
}

export function ticketDeleted(ticketId: number, from: TicketAssignment): DomainEvent {
  return { type: "ticket.deleted", payload: { ticketId, from: place(from) } };
}

/** The conversation of a ticket holds other messages now: `mergedId` went into it, or it was parted again. */
export function ticketReloaded(ticketId: number, mergedId: number | null): DomainEvent {
  return { type: "ticket.reloaded", payload: { ticketId, mergedId } };
}

/** Somebody read the conversation. */
export function ticketRead(ticketId: number, at: TicketAssignment): DomainEvent {
  return { type: "ticket.unread", payload: { ticketId, at: place(at) } };
}

const place = ({ status, queueId, userId }: TicketAssignment): TicketAssignment => ({ status, queueId, userId });
