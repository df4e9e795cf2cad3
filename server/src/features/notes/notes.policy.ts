import { isAdmin } from "@prosa/contract";
import { canSee } from "#server/features/tickets/index.ts";
import type { Actor } from "#server/platform/ctx.ts";
import type { NoteRow } from "./notes.queries.ts";

/** Whoever may see the ticket may read its notes; a note without a ticket is the contact's, and contacts are everybody's. */
export function canRead(actor: Actor, { place }: Pick<NoteRow, "place">): boolean {
  return place === null || canSee(actor, place);
}

/** Its author, or an admin. */
export function canDelete(actor: Actor, row: NoteRow): boolean {
  if (actor.kind !== "user" || isAdmin(actor)) {
    return true;
  }
  return canRead(actor, row) && row.note.user?.id === actor.userId;
}
