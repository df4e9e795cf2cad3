import { hasPermission, isAdmin, canManageUser } from "@prosa/contract";
import type { Actor } from "#server/platform/ctx.ts";

export type UserField = "name" | "email" | "password" | "profile" | "allTicket" | "whatsappId" | "queueIds";

/** A user sees themselves; an admin sees everybody of the company. For sockets: `users.realtime.ts`. */
export function maySeeUser(actor: Actor, userId: number): boolean {
  return seesWholeUsers(actor) || (actor.kind === "user" && actor.userId === userId);
}

/** May the actor see e-mails, rights and lines of every user? Others see names, queues and who is online. */
export function seesWholeUsers(actor: Actor): boolean {
  return actor.kind !== "user" || isAdmin(actor);
}

/** A user changes themselves; an admin changes everybody but an operator, whom only an operator changes (V-04). */
export function mayChangeUser(actor: Actor, target: { readonly id: number; readonly isSuper: boolean }): boolean {
  return (
    maySeeUser(actor, target.id) &&
    (actor.kind !== "user" || actor.userId === target.id || canManageUser(actor, target))
  );
}

/**
 * Which of these fields the actor may not change (U-03). Everybody edits their own name, e-mail and password (S-10);
 * the rest needs the rules of the user dialog. Nobody changes their own profile: a company keeps an admin.
 */
export function forbiddenChanges(actor: Actor, userId: number, fields: readonly UserField[]): UserField[] {
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
