import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { ticketColumns } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";

// The note names its episode: a later one, which may end otherwise, does not always begin with an empty state.
const LOCK_OF_CONTACT: Statement<TicketRow & { isClosedByBlock: boolean }> = {
  name: "tickets_lock_of_contact",
  text: `select ${ticketColumns}, coalesce((t.bot_state ->> 'closedByBlock')::int = t.episode_id, false) as "isClosedByBlock"
    from tickets t where t.company_id = $1 and t.contact_id = $2 order by t.id for no key update`,
};

/** Locks all tickets of a contact in the order of their ids. `isClosedByBlock`: a block ended their last episode. */
export async function lockTicketsOfContact(
  ctx: Ctx,
  contactId: number,
): Promise<(TicketRow & { readonly isClosedByBlock: boolean })[]> {
  return ctx.raw(LOCK_OF_CONTACT, [ctx.companyId, contactId]);
}

const MARK_CLOSED_BY_BLOCK: Statement<never> = {
  name: "ticket_mark_closed_by_block",
  text: `update tickets set bot_state = coalesce(bot_state, '{}') || jsonb_build_object('closedByBlock', episode_id)
    where company_id = $1 and id = $2`,
};

/** Notes that a block ended this episode, in the state of the bot, which is that of the episode. */
export async function markClosedByBlock(ctx: Ctx, id: number): Promise<void> {
  await ctx.raw(MARK_CLOSED_BY_BLOCK, [ctx.companyId, id]);
}
