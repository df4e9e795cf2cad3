import { hasPermission, isAdmin, canManageUser } from "@prosa/contract";
import type { Actor } from "#server/platform/ctx.ts";

export type ChangeOfUser = "name" | "email" | "password" | "profile" | "allTicket" | "whatsappId" | "queueIds";

/** Oneself, or anybody of the company for an admin. */
export function maySeeUser(actor: Actor, userId: number): boolean {
  return actor.kind !== "user" || actor.userId === userId || isAdmin(actor);
}

/** Oneself, or as an admin anybody but an operator, whom only an operator touches (V-04). */
export function mayTouchUser(actor: Actor, target: { readonly id: number; readonly isSuper: boolean }): boolean {
  return (
    maySeeUser(actor, target.id) &&
    (actor.kind !== "user" || actor.userId === target.id || canManageUser(actor, target))
  );
}

/**
 * Which of these fields the actor may not change (U-03). Everybody edits their own name, e-mail and password (S-10);
 * the rest needs the rules of the user dialog. Nobody changes their own profile: a company keeps an admin.
 */
export function forbiddenChanges(actor: Actor, userId: number, fields: readonly ChangeOfUser[]): ChangeOfUser[] {
  if (actor.kind !== "user") {
    return [];
  }
  const isOneself = actor.userId === userId;

  return fields.filter((field) => {
    switch (field) {
      case "profile":
        return isOneself || !hasPermission(actor, "user-modal:editProfile");
      case "allTicket":
      case "whatsappId":
        return !hasPermission(actor, "user-modal:editProfile");
      case "queueIds":
        return !hasPermission(actor, "user-modal:editQueues");
      case "name":
      case "email":
      case "password":
        return !maySeeUser(actor, userId);
      default:
        return true;
    }
  });
}
