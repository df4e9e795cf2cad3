import { isAdmin } from "@prosa/contract";
import type { Actor } from "#server/platform/ctx.ts";

/** What rights on a quick message depend on. */
export interface QuickMessageOwner {
  readonly geral: boolean;
  readonly user_id: number | null;
}

/** May this person read and send it? Everybody's by all, a personal one by its author; an admin sees to all of them. */
export function canUse(actor: Actor, { geral, user_id: author }: QuickMessageOwner): boolean {
  return geral || canChange(actor, { geral, user_id: author });
}

/** May this person change or delete it? Its author, or an admin. */
export function canChange(actor: Actor, { user_id: author }: QuickMessageOwner): boolean {
  return actor.kind !== "user" || isAdmin(actor) || author === actor.userId;
}
