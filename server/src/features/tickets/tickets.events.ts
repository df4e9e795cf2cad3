import type { DomainEvent } from "#server/platform/ctx.ts";
import type { TicketAssignment } from "./tickets.policy.ts";

/** Assignment before (null: the ticket is new) and after: which lists lose the ticket, and which have it now. */
export function ticketUpdated(ticketId: number, from: TicketAssignment | null, to: TicketAssignment): DomainEvent {
  return { type: "ticket.updated", payload: { ticketId, from: from && assignmentOf(from), to: assignmentOf(to) } };
}

export function ticketDeleted(ticketId: number, from: TicketAssignment): DomainEvent {
  return { type: "ticket.deleted", payload: { ticketId, from: assignmentOf(from) } };
}

/** Other messages are in the ticket's conversation now: ticket `mergedId` was merged into it, or (null) a merge was undone. */
export function ticketReloaded(ticketId: number, mergedId: number | null): DomainEvent {
  return { type: "ticket.reloaded", payload: { ticketId, mergedId } };
}

/** A user transferred the ticket to another one, with or without a note; it is one of `count` that went there at once. */
export function ticketTransferred(transfer: {
  readonly ticketId: number;
  readonly fromUserId: number;
  readonly toUserId: number;
  readonly noteId: number | null;
  readonly count: number;
}): DomainEvent {
  return { type: "ticket.transferred", payload: transfer };
}

/** The conversation was read: its unread counter is zero. */
export function ticketRead(ticketId: number, at: TicketAssignment): DomainEvent {
  return { type: "ticket.unread", payload: { ticketId, at: assignmentOf(at) } };
}

const assignmentOf = ({ status, queueId, userId }: TicketAssignment): TicketAssignment => ({ status, queueId, userId });
