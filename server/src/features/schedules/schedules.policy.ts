import { hasPermission, isAdmin } from "@prosa/contract";
import type { Actor } from "#server/platform/ctx.ts";

/** Who reads those of everybody: others read their own alone. */
export function readsAll(actor: Actor): boolean {
  return actor.kind !== "user" || hasPermission(actor, "schedules:showall");
}

/** May this person read it? */
export function canRead(actor: Actor, schedule: { readonly userId: number | null }): boolean {
  return readsAll(actor) || (actor.kind === "user" && schedule.userId === actor.userId);
}

/** May this person change or delete it? Its author, or an admin. */
export function canChange(actor: Actor, schedule: { readonly userId: number | null }): boolean {
  return actor.kind !== "user" || isAdmin(actor) || schedule.userId === actor.userId;
}
