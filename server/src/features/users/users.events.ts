import type { DomainEvent } from "#server/platform/ctx.ts";

export function userCreated(userId: number): DomainEvent {
  return { type: "user.created", payload: { userId } };
}

/** `endsSessions`: the password or the rights changed so that whoever is signed in must do it again. */
export function userUpdated(userId: number): DomainEvent {
  return { type: "user.updated", payload: { userId } };
}

export function userDeleted(userId: number): DomainEvent {
  return { type: "user.deleted", payload: { userId } };
}

/** Came online or went offline. */
export function userPresence(userId: number, isOnline: boolean): DomainEvent {
  return { type: "user.presence", payload: { userId, isOnline } };
}
