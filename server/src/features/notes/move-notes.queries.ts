import type { MergedTicket } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const MOVE_TO_CONTACT: Statement<never> = {
  name: "notes_move_to_contact",
  text: `update ticket_notes set contact_id = $3 where company_id = $1 and contact_id = $2`,
};

const MOVE_TO_TICKET: Statement<never> = {
  name: "notes_move_to_ticket",
  text: `update ticket_notes set ticket_id = $3, contact_id = $4 where company_id = $1 and ticket_id = $2`,
};

/** Moves the notes of a contact to another contact. */
export async function moveNotesOfContact(ctx: Ctx, from: number, to: number): Promise<void> {
  await ctx.raw(MOVE_TO_CONTACT, [ctx.companyId, from, to]);
}

/** Moves the notes of a ticket to another one. Call it before the first ticket is deleted. */
export async function moveNotesOfTicket(ctx: Ctx, { from, into }: MergedTicket, contactId: number): Promise<void> {
  await ctx.raw(MOVE_TO_TICKET, [ctx.companyId, from, into, contactId]);
}
