import type { DomainEvent } from "#server/platform/ctx.ts";

/** A message was stored: sent here, received, or sent from the phone. */
export function messageCreated(ticketId: number, messageId: number): DomainEvent {
  return { type: "message.created", payload: { ticketId, messageId } };
}

/** Text, state, reactions or file of a message changed. */
export function messageUpdated(ticketId: number, messageId: number): DomainEvent {
  return { type: "message.updated", payload: { ticketId, messageId } };
}

/** A message failed, or a failed one was queued again: what it was sent from shows that. Beside `messageUpdated`. */
export function messageFailureChanged(messageId: number): DomainEvent {
  return { type: "message.failureChanged", payload: { messageId } };
}
