import type { BodyOf, Note, QueryOf, notes } from "@prosa/contract";
import { visibleTicket } from "#server/features/tickets/index.ts";
import type { TicketRow } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { noteCreated, noteDeleted } from "./notes.events.ts";
import { canDelete, canRead } from "./notes.policy.ts";
import { deleteNote, findNotes, findNotesById, insertNote, hasContact } from "./notes.queries.ts";
import type { NoteRow } from "./notes.queries.ts";

/**
 * The notes of a ticket, or of a contact from all tickets that the actor may see; newest first. ERR_VALIDATION without ticket
 * and contact: the notes of a whole company are never listed.
 */
export async function listNotes(ctx: Ctx, query: QueryOf<typeof notes.list>): Promise<Note[]> {
  const { ticketId, contactId } = query;
  if (ticketId === undefined && contactId === undefined) {
    throw new AppError("ERR_VALIDATION", { fields: { ticketId: "Required" } });
  }
  if (ticketId !== undefined) {
    await visibleTicket(ctx, ticketId);
  }
  if (contactId !== undefined && !(await hasContact(ctx, contactId))) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { contactId });
  }
  const found = await findNotes(ctx, query);
  return found.filter((row) => canRead(ctx.actor, row)).map(({ note }) => note);
}

/** Adds a note to a ticket that the actor may see, also to another agent's (T-21). */
export async function addNote(ctx: Ctx, { ticketId, contactId, note }: BodyOf<typeof notes.create>): Promise<Note> {
  const ticket = await visibleTicket(ctx, ticketId);
  if (ticket.contactId !== contactId) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { contactId });
  }
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const id = await insertNote(ctx, { ticketId, contactId, userId, note });
  ctx.emit(noteCreated(ticketId, id));

  return (await findNote(ctx, id)).note;
}

/** Adds the note of a transfer. By now the actor may not see the ticket any more, which was theirs to give. */
export async function addTransferNote(
  ctx: Ctx,
  { id: ticketId, contactId }: Pick<TicketRow, "id" | "contactId">,
  note: string,
): Promise<number> {
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const id = await insertNote(ctx, { ticketId, contactId, userId, note });
  ctx.emit(noteCreated(ticketId, id));
  return id;
}

/** Deletes a note. ERR_NO_PERMISSION unless the actor is its author or an admin. */
export async function removeNote(ctx: Ctx, id: number): Promise<void> {
  const row = await findNote(ctx, id);
  if (!canDelete(ctx.actor, row)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  await deleteNote(ctx, id);
  if (row.note.ticketId !== null) {
    ctx.emit(noteDeleted(row.note.ticketId, id));
  }
}

async function findNote(ctx: Ctx, id: number): Promise<NoteRow> {
  const [row] = await findNotesById(ctx, [id]);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { noteId: id });
  }
  return row;
}
