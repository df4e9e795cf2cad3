import type { Note } from "@prosa/contract";
import { isoText } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** A note with the assignment of its ticket, on which the rights depend. */
export interface NoteRow {
  readonly note: Note;
  /** User and queue of its ticket; null if the ticket was deleted. */
  readonly assignment: { readonly userId: number | null; readonly queueId: number | null } | null;
}

/** The largest answer of a list. */
const maxNotes = 500;

const selected = `select json_build_object('id', n.id, 'note', n.note,
      'user', case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end,
      'ticketId', n.ticket_id, 'contactId', n.contact_id, 'createdAt', ${isoText("n.created_at")}) as note,
    case when t.id is not null then json_build_object('userId', t.user_id, 'queueId', t.queue_id) end as assignment
  from ticket_notes n
  left join users u on u.id = n.user_id
  left join tickets t on t.id = n.ticket_id`;

const LIST: Statement<NoteRow> = {
  name: "notes_list",
  text: `${selected} where n.company_id = $1
    and ($2::int is null or n.ticket_id = $2) and ($3::int is null or n.contact_id = $3)
    order by n.id desc limit ${maxNotes}`,
};

const FIND: Statement<NoteRow> = {
  name: "notes_find",
  text: `${selected} where n.company_id = $1 and n.id = any($2::int[])`,
};

const INSERT: Statement<{ id: number }> = {
  name: "notes_insert",
  text: `insert into ticket_notes (company_id, ticket_id, contact_id, user_id, note, created_at)
    values ($1, $2, $3, $4, $5, $6) returning id`,
};

const DELETE: Statement<never> = {
  name: "notes_delete",
  text: `delete from ticket_notes where company_id = $1 and id = $2`,
};

/** The notes of a ticket or of a contact, or those that match both; newest first. */
export async function findNotes(
  ctx: Ctx,
  { ticketId, contactId }: { readonly ticketId?: number | undefined; readonly contactId?: number | undefined },
): Promise<NoteRow[]> {
  return ctx.raw(LIST, [ctx.companyId, ticketId ?? null, contactId ?? null]);
}

/** In no particular order; deleted ones are left out. */
export async function findNotesById(ctx: Ctx, ids: readonly number[]): Promise<NoteRow[]> {
  return ctx.raw(FIND, [ctx.companyId, ids]);
}

export async function insertNote(
  ctx: Ctx,
  note: {
    readonly ticketId: number;
    readonly contactId: number;
    readonly userId: number | null;
    readonly note: string;
  },
): Promise<number> {
  const { ticketId, contactId, userId } = note;
  const [row] = await ctx.raw(INSERT, [ctx.companyId, ticketId, contactId, userId, note.note, ctx.now()]);
  return row!.id;
}

export async function deleteNote(ctx: Ctx, id: number): Promise<void> {
  await ctx.raw(DELETE, [ctx.companyId, id]);
}

const HAS_CONTACT: Statement<{ id: number }> = {
  name: "note_has_contact",
  text: `select id from contacts where company_id = $1 and id = $2`,
};

export async function hasContact(ctx: Ctx, contactId: number): Promise<boolean> {
  return (await ctx.raw(HAS_CONTACT, [ctx.companyId, contactId])).length > 0;
}
