import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** A note of a contact, with its ticket, before a merge. */
export interface NoteSnapshot {
  readonly id: number;
  readonly ticketId: number | null;
}

const SNAPSHOT: Statement<NoteSnapshot> = {
  name: "notes_snapshot",
  text: `select id, ticket_id as "ticketId" from ticket_notes where company_id = $1 and contact_id = $2 order by id`,
};

/** Takes the snapshot that `undoNoteMerge` needs. */
export async function snapshotNotes(ctx: Ctx, contactId: number): Promise<NoteSnapshot[]> {
  return ctx.raw(SNAPSHOT, [ctx.companyId, contactId]);
}

const UNDO_MERGE: Statement<never> = {
  name: "notes_undo_merge",
  text: `update ticket_notes n set contact_id = $2, ticket_id = was."ticketId"
    from jsonb_to_recordset($3::jsonb) as was(id int, "ticketId" int) where n.company_id = $1 and n.id = was.id`,
};

/** Moves the notes of a snapshot back to this contact and to their earlier tickets. */
export async function undoNoteMerge(ctx: Ctx, contactId: number, snapshots: readonly NoteSnapshot[]): Promise<void> {
  await ctx.raw(UNDO_MERGE, [ctx.companyId, contactId, JSON.stringify(snapshots)]);
}
