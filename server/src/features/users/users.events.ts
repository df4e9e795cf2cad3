import type { DomainEvent } from "#server/platform/ctx.ts";

export function userCreated(userId: number): DomainEvent {
  return { type: "user.created", payload: { userId } };
}

export function userUpdated(userId: number): DomainEvent {
  return { type: "user.updated", payload: { userId } };
}

export function userDeleted(userId: number): DomainEvent {
  return { type: "user.deleted", payload: { userId } };
}
