import { isDeepStrictEqual } from "node:util";
import type { DomainEvent } from "#server/platform/ctx.ts";
import type { TicketAssignment } from "./tickets.policy.ts";

/**
 * Assignment before (null: the ticket is new) and after: which lists lose the ticket, and which have it now. `relabelled`: what changed are its
 * labels alone; of the tags and lanes these came or went.
 */
export function ticketUpdated(
  ticketId: number,
  from: TicketAssignment | null,
  to: TicketAssignment,
  relabelled?: readonly number[],
): DomainEvent {
  const payload = { ticketId, from: from && assignmentOf(from), to: assignmentOf(to) };
  return { type: "ticket.updated", payload: relabelled ? { ...payload, relabelled } : payload };
}

/** Does the update leave every list that knows nothing of labels with as many tickets? */
export function keepsAssignment({ type, payload: { from, to } }: DomainEvent): boolean {
  return type === "ticket.updated" && isDeepStrictEqual(from, to);
}

/** The tags and lanes that have other tickets after this event, where it changed nothing but labels. */
export function relabelledBy(event: DomainEvent): readonly unknown[] | undefined {
  const { relabelled } = event.payload;
  return Array.isArray(relabelled) && keepsAssignment(event) ? relabelled : undefined;
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
