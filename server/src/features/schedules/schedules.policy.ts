import { hasPermission, isAdmin } from "@prosa/contract";
import type { Actor } from "#server/platform/ctx.ts";

/** May the actor read the schedules of all users? Others read only their own. */
export function canReadAll(actor: Actor): boolean {
  return actor.kind !== "user" || hasPermission(actor, "schedules:showall");
}

export function canRead(actor: Actor, schedule: { readonly userId: number | null }): boolean {
  return canReadAll(actor) || (actor.kind === "user" && schedule.userId === actor.userId);
}

/** The author and admins may change or delete it. */
export function canChange(actor: Actor, schedule: { readonly userId: number | null }): boolean {
  return actor.kind !== "user" || isAdmin(actor) || schedule.userId === actor.userId;
}
