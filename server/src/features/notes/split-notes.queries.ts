import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** Which notes a contact had, and on which ticket. */
export interface NoteMemory {
  readonly id: number;
  readonly ticketId: number | null;
}

const REMEMBER: Statement<NoteMemory> = {
  name: "notes_remember",
  text: `select id, ticket_id as "ticketId" from ticket_notes where company_id = $1 and contact_id = $2 order by id`,
};

/** What `splitNotes` needs to give a contact's notes back after a merge. */
export async function rememberNotes(ctx: Ctx, contactId: number): Promise<NoteMemory[]> {
  return ctx.raw(REMEMBER, [ctx.companyId, contactId]);
}

const GIVE_BACK: Statement<never> = {
  name: "notes_give_back",
  text: `update ticket_notes n set contact_id = $2, ticket_id = was."ticketId"
    from jsonb_to_recordset($3::jsonb) as was(id int, "ticketId" int) where n.company_id = $1 and n.id = was.id`,
};

/** The notes are this contact's again, on the tickets where they were. */
export async function splitNotes(ctx: Ctx, contactId: number, memory: readonly NoteMemory[]): Promise<void> {
  await ctx.raw(GIVE_BACK, [ctx.companyId, contactId, JSON.stringify(memory)]);
}
