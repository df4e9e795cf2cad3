import type { DomainEvent } from "#server/platform/ctx.ts";

export function contactCreated(contactId: number): DomainEvent {
  return { type: "contact.created", payload: { contactId } };
}

export function contactUpdated(contactId: number): DomainEvent {
  return { type: "contact.updated", payload: { contactId } };
}

export function contactDeleted(contactId: number): DomainEvent {
  return { type: "contact.deleted", payload: { contactId } };
}
