import type { Actor, DomainEvent, NewJob } from "#server/platform/ctx.ts";

export function userCreated(userId: number): DomainEvent {
  return { type: "user.created", payload: { userId } };
}

export function userUpdated(userId: number): DomainEvent {
  return { type: "user.updated", payload: { userId } };
}

export function userDeleted(userId: number): DomainEvent {
  return { type: "user.deleted", payload: { userId } };
}

/** After a new password: whoever signed in with the old one is signed out, except the browser that changed it. */
export function endOtherSessions(userId: number, actor: Actor): NewJob {
  const except = actor.kind === "user" && actor.userId === userId ? actor.sessionId : null;
  return { task: "auth.end-sessions", payload: { userId, except }, maxAttempts: 20 };
}
