import { isAdmin } from "@prosa/contract";
import { canSee } from "#server/features/tickets/index.ts";
import type { Actor } from "#server/platform/ctx.ts";
import type { NoteRow } from "./notes.queries.ts";

/** Users who may see the ticket may read its notes. A note without a ticket belongs to the contact, and all users may see contacts. */
export function canRead(actor: Actor, { assignment }: Pick<NoteRow, "assignment">): boolean {
  return assignment === null || canSee(actor, assignment);
}

/** The author and admins may delete a note. */
export function canDelete(actor: Actor, row: NoteRow): boolean {
  if (actor.kind !== "user" || isAdmin(actor)) {
    return true;
  }
  return canRead(actor, row) && row.note.user?.id === actor.userId;
}
