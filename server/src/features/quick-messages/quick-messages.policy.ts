import { isAdmin } from "@prosa/contract";
import type { Actor } from "#server/platform/ctx.ts";

/** The fields on which the rights depend. `geral`: for all users of the company. */
export interface QuickMessageOwner {
  readonly geral: boolean;
  readonly user_id: number | null;
}

/** General ones may be read and sent by all users, personal ones by their author and by admins. */
export function canUse(actor: Actor, { geral, user_id: author }: QuickMessageOwner): boolean {
  return geral || canChange(actor, { geral, user_id: author });
}

/** The author and admins may change or delete it. */
export function canChange(actor: Actor, { user_id: author }: QuickMessageOwner): boolean {
  return actor.kind !== "user" || isAdmin(actor) || author === actor.userId;
}
