import { isDeepStrictEqual } from "node:util";
import type { DomainEvent } from "#server/platform/ctx.ts";
import type { TicketAssignment } from "./tickets.policy.ts";

/**
 * Which labels of a ticket changed: some; or also whether it has a lane's tag, so that it came to the open lane or left it. An event
 * that says neither may have changed both.
 */
export type Relabelling = "labels" | "open lane";

/** Assignment before (null: the ticket is new) and after: which lists lose the ticket, and which have it now. */
export function ticketUpdated(
  ticketId: number,
  from: TicketAssignment | null,
  to: TicketAssignment,
  relabelling?: Relabelling,
): DomainEvent {
  const payload = { ticketId, from: from && assignmentOf(from), to: assignmentOf(to) };
  return { type: "ticket.updated", payload: relabelling ? { ...payload, relabelling } : payload };
}

/** Does the update leave every list that knows nothing of labels with as many tickets? */
export function keepsAssignment({ type, payload: { from, to } }: DomainEvent): boolean {
  return type === "ticket.updated" && isDeepStrictEqual(from, to);
}

/** Does it leave the open lane of every board with as many tickets as well? */
export function keepsOpenLane(event: DomainEvent): boolean {
  return event.payload["relabelling"] === "labels" && keepsAssignment(event);
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
