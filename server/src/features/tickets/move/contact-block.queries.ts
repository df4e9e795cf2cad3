import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { ticketColumns } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";

const LOCK_OF_CONTACT: Statement<TicketRow & { isUnserved: boolean }> = {
  name: "tickets_lock_of_contact",
  text: `select ${ticketColumns}, coalesce(e.finished_at is not null and e.started_at is null, false) as "isUnserved"
    from tickets t left join episodes e on e.id = t.episode_id
    where t.company_id = $1 and t.contact_id = $2 order by t.id for no key update of t`,
};

/** Locks all tickets of a contact in the order of their ids. `isUnserved`: the last episode finished without being started. */
export async function lockTicketsOfContact(
  ctx: Ctx,
  contactId: number,
): Promise<(TicketRow & { readonly isUnserved: boolean })[]> {
  return ctx.raw(LOCK_OF_CONTACT, [ctx.companyId, contactId]);
}
