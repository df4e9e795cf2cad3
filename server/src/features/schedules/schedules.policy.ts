import { isAdmin } from "@prosa/contract";
import type { Actor } from "#server/platform/ctx.ts";

/** May this person change or delete it? Its author, or an admin. Everybody of the company reads them. */
export function canChange(actor: Actor, schedule: { readonly userId: number | null }): boolean {
  return actor.kind !== "user" || isAdmin(actor) || schedule.userId === actor.userId;
}
