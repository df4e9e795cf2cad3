import type { MergedTicket } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const MOVE_TO_CONTACT: Statement<never> = {
  name: "messages_move_to_contact",
  text: `update messages set contact_id = $3 where company_id = $1 and contact_id = $2`,
};

const MOVE_TO_TICKET: Statement<never> = {
  name: "messages_move_to_ticket",
  text: `update messages set ticket_id = $3, contact_id = $4, version = version + 1 where company_id = $1 and ticket_id = $2`,
};

/** The messages of a contact are another's from now on. */
export async function moveMessagesOfContact(ctx: Ctx, from: number, to: number): Promise<void> {
  await ctx.raw(MOVE_TO_CONTACT, [ctx.companyId, from, to]);
}

/** The conversation of one ticket goes into another's. */
export async function moveMessagesOfTicket(ctx: Ctx, { from, into }: MergedTicket, contactId: number): Promise<void> {
  await ctx.raw(MOVE_TO_TICKET, [ctx.companyId, from, into, contactId]);
}
