import type { DomainEvent } from "#server/platform/ctx.ts";

export function noteCreated(ticketId: number, noteId: number): DomainEvent {
  return { type: "note.created", payload: { ticketId, noteId } };
}

export function noteDeleted(ticketId: number, noteId: number): DomainEvent {
  return { type: "note.deleted", payload: { ticketId, noteId } };
}
