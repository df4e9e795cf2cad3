import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** A ticket that is merged into another of the same connection. */
export interface MergedTicket {
  readonly from: number;
  readonly into: number;
}

const LOCK_TICKETS_OF_BOTH: Statement<{ id: number }> = {
  name: "tickets_lock_of_contacts",
  text: `select id from tickets where company_id = $1 and contact_id = any($2::int[]) order by id for no key update`,
};

const FIND_TICKET_PAIRS: Statement<MergedTicket> = {
  name: "tickets_pairs_of_contacts",
  text: `select a.id as "from", b.id as "into" from tickets a
    join tickets b on b.connection_id = a.connection_id and b.contact_id = $3
    where a.company_id = $1 and a.contact_id = $2`,
};

const MOVE_TO_CONTACT: Statement<{ id: number }> = {
  name: "tickets_move_to_contact",
  text: `update tickets t set contact_id = $3, version = t.version + 1 where t.company_id = $1 and t.contact_id = $2
    and not exists (select from tickets o where o.connection_id = t.connection_id and o.contact_id = $3)
    returning t.id`,
};

/**
 * Moves the tickets of one contact to another (W-10). Where both have one on a connection, the pair is not moved but
 * returned, to be merged.
 */
export async function moveTickets(ctx: Ctx, from: number, to: number): Promise<MergedTicket[]> {
  await ctx.raw(LOCK_TICKETS_OF_BOTH, [ctx.companyId, [from, to]]);
  await ctx.raw(MOVE_TO_CONTACT, [ctx.companyId, from, to]);
  return ctx.raw(FIND_TICKET_PAIRS, [ctx.companyId, from, to]);
}

const MERGE: Statement<never> = {
  name: "ticket_merge",
  text: `update tickets k set
      last_message = case when d.last_message_at > k.last_message_at then d.last_message else k.last_message end,
      last_message_type = case when d.last_message_at > k.last_message_at then d.last_message_type else k.last_message_type end,
      last_message_from_me = case when d.last_message_at > k.last_message_at then d.last_message_from_me else k.last_message_from_me end,
      last_message_at = greatest(d.last_message_at, k.last_message_at),
      unread_messages = greatest(0, k.unread_messages + d.unread_messages - $4::int),
      awaited_user_id = coalesce(k.awaited_user_id, d.awaited_user_id),
      awaited_since = case when k.awaited_user_id is null then d.awaited_since else k.awaited_since end,
      waiting_since = least(k.waiting_since, d.waiting_since),
      version = greatest(k.version, d.version) + 1
    from tickets d where k.company_id = $1 and k.id = $3 and d.company_id = $1 and d.id = $2`,
};

const MOVE_EPISODES: Statement<never> = {
  name: "ticket_merge_episodes",
  text: `update episodes set ticket_id = $3, finished_at = coalesce(finished_at, $4) where company_id = $1 and ticket_id = $2`,
};

const FINISH_EPISODE: Statement<never> = {
  name: "ticket_merge_finish_episode",
  text: `update episodes set finished_at = $3 where company_id = $1 and ticket_id = $2 and finished_at is null`,
};

/** Ends the running episode of a ticket, if it has one: another one follows. */
export async function finishEpisodeOf(ctx: Ctx, ticketId: number): Promise<void> {
  await ctx.raw(FINISH_EPISODE, [ctx.companyId, ticketId, ctx.now()]);
}

const TAKE_OVER_BOT_STATE: Statement<never> = {
  name: "ticket_merge_bot_state",
  text: `update tickets k set bot_state = d.bot_state from tickets d
    where k.company_id = $1 and k.id = $3 and d.company_id = $1 and d.id = $2 and d.status = 'pending'`,
};

/** The bot goes on in a ticket where it was in the one that is merged into it, if that one waits. */
export async function takeOverBotState(ctx: Ctx, { from, into }: MergedTicket): Promise<void> {
  await ctx.raw(TAKE_OVER_BOT_STATE, [ctx.companyId, from, into]);
}

const MERGE_LABELS: Statement<never> = {
  name: "ticket_merge_labels",
  text: `with tags as (
      insert into ticket_tags (company_id, ticket_id, tag_id)
      select company_id, $3, tag_id from ticket_tags where company_id = $1 and ticket_id = $2 on conflict do nothing)
    insert into ticket_products (company_id, ticket_id, product_id)
    select company_id, $3, product_id from ticket_products where company_id = $1 and ticket_id = $2 on conflict do nothing`,
};

/**
 * Merges last-message preview, unread counter, episodes, tags and products of a ticket into another; its messages were
 * moved before. `duplicateUnread`: unread messages that both tickets counted.
 */
export async function mergeTicket(ctx: Ctx, { from, into }: MergedTicket, duplicateUnread: number): Promise<void> {
  await ctx.raw(MERGE, [ctx.companyId, from, into, duplicateUnread]);
  await ctx.raw(MOVE_EPISODES, [ctx.companyId, from, into, ctx.now()]);
  await ctx.raw(MERGE_LABELS, [ctx.companyId, from, into]);
}
