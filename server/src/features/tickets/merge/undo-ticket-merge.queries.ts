import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** Tickets, episodes and labels of two contacts before a merge, for its undo. Opaque JSON. */
export type TicketSnapshot = Readonly<Record<string, unknown>>;

const SNAPSHOT_TICKETS: Statement<{ snapshot: TicketSnapshot }> = {
  name: "tickets_snapshot",
  text: `with owned as (select * from tickets where company_id = $1 and contact_id = any($2::int[]) for no key update)
    select jsonb_build_object(
      'tickets', (select coalesce(jsonb_agg(to_jsonb(b)), '[]') from owned b),
      'episodes', (select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'ticket_id', e.ticket_id,
        'finished_at', e.finished_at)), '[]') from episodes e join owned b on b.id = e.ticket_id),
      'tags', (select coalesce(jsonb_agg(to_jsonb(x)), '[]') from ticket_tags x join owned b on b.id = x.ticket_id),
      'products', (select coalesce(jsonb_agg(to_jsonb(x)), '[]') from ticket_products x join owned b on b.id = x.ticket_id)
    ) as snapshot`,
};

/** Reads what `undoTicketMerge` needs, before these contacts are merged. Locks the tickets. */
export async function snapshotTickets(ctx: Ctx, contactIds: readonly number[]): Promise<TicketSnapshot> {
  const [row] = await ctx.raw(SNAPSHOT_TICKETS, [ctx.companyId, contactIds]);
  return row?.snapshot ?? {};
}

const VERSIONS: Statement<{ id: number; version: number }> = {
  name: "tickets_versions_of_contact",
  text: `select id, version::int from tickets where company_id = $1 and contact_id = $2 order by id for no key update`,
};

/** Versions of a contact's tickets after a merge, locked: `undoTicketMerge` leaves a ticket alone whose version changed since. */
export async function lockTicketVersions(ctx: Ctx, contactId: number): Promise<{ id: number; version: number }[]> {
  return ctx.raw(VERSIONS, [ctx.companyId, contactId]);
}

const was = `jsonb_populate_recordset(null::tickets, $2::jsonb -> 'tickets') was`;

const IS_MIXED: Statement<{ isMixed: boolean }> = {
  name: "tickets_restore_is_mixed",
  text: `with was as (select * from ${was})
    select exists (select from was lost, was back join tickets t on t.company_id = $1 and t.id = back.id
      where lost.contact_id <> $3 and not exists (select from tickets k where k.company_id = $1 and k.id = lost.id)
        and back.contact_id = $3 and t.connection_id <> back.connection_id) as "isMixed"`,
};

/**
 * Whether a transfer since the merge may have joined a conversation of the kept contact to one that would go back to the other: a ticket
 * of the kept contact is gone, and one of the other is on another connection.
 */
export async function isMixed(ctx: Ctx, contactId: number, snapshot: TicketSnapshot): Promise<boolean> {
  const [row] = await ctx.raw(IS_MIXED, [ctx.companyId, JSON.stringify(snapshot), contactId]);
  return row?.isMixed ?? false;
}

/** Not those of the kept contact: what a transfer joined to another of its conversations since is there. */
const INSERT_DELETED: Statement<{ id: number }> = {
  name: "tickets_restore_deleted",
  text: `insert into tickets overriding system value
    select was.* from ${was} where was.company_id = $1 and was.contact_id = $3
      and not exists (select from tickets t where t.id = was.id)
    returning id`,
};

const MOVE_BACK: Statement<{ id: number }> = {
  name: "tickets_restore_moved",
  text: `update tickets t set contact_id = was.contact_id, version = t.version + 1 from ${was}
    where t.company_id = $1 and t.id = was.id and t.contact_id <> was.contact_id returning t.id`,
};

/** Only where the version is the one that the merge left: nobody changed the ticket since. */
const REVERT_KEPT: Statement<{ id: number }> = {
  name: "tickets_restore_kept",
  text: `update tickets t set status = was.status, user_id = was.user_id, queue_id = was.queue_id, chatbot = was.chatbot,
      use_integration = was.use_integration,
      integration_id = (select i.id from queue_integrations i where i.company_id = $1 and i.id = was.integration_id),
      prompt_id = (select o.id from prompts o where o.company_id = $1 and o.id = was.prompt_id),
      bot_state = was.bot_state, episode_id = was.episode_id, last_message = was.last_message, last_message_type = was.last_message_type,
      last_message_from_me = was.last_message_from_me, last_message_at = was.last_message_at,
      unread_messages = was.unread_messages,
      awaited_user_id = (select u.id from users u where u.company_id = $1 and u.id = was.awaited_user_id),
      awaited_since = was.awaited_since, waiting_since = was.waiting_since, version = t.version + 1
    from ${was}, jsonb_to_recordset($3::jsonb) as merged(id int, version int)
    where t.company_id = $1 and t.id = was.id and merged.id = t.id and merged.version = t.version
    returning t.id`,
};

const FIND_PARTED: Statement<{ id: number }> = {
  name: "tickets_restore_parted",
  // On the connection of the merge or, where a transfer since has joined the other one, on that of now.
  text: `select distinct k.id from tickets k join ${was} on was.id = k.id
    join tickets d on d.company_id = $1 and d.connection_id in (was.connection_id, k.connection_id)
    where k.company_id = $1 and k.id = any($3::int[]) and d.id = any($4::int[]) order by k.id`,
};

const DELETE_NEW_EPISODES: Statement<never> = {
  name: "tickets_restore_delete_new_episodes",
  text: `delete from episodes e where e.company_id = $1 and e.ticket_id = any($3::int[])
    and not exists (select from jsonb_to_recordset($2::jsonb -> 'episodes') as was(id int) where was.id = e.id)`,
};

const RESTORE_EPISODES: Statement<never> = {
  name: "tickets_restore_episodes",
  text: `update episodes e set ticket_id = was.ticket_id,
      finished_at = case when e.ticket_id <> was.ticket_id or e.ticket_id = any($3::int[]) then was.finished_at else e.finished_at end
    from jsonb_to_recordset($2::jsonb -> 'episodes') as was(id int, ticket_id int, finished_at timestamptz)
    where e.company_id = $1 and e.id = was.id
      and exists (select from tickets t where t.company_id = $1 and t.id = was.ticket_id)`,
};

const RESTORE_LABELS: Statement<never> = {
  name: "tickets_restore_labels",
  text: `with tags as (
      insert into ticket_tags (company_id, ticket_id, tag_id)
      select company_id, ticket_id, tag_id from jsonb_populate_recordset(null::ticket_tags, $2::jsonb -> 'tags')
      where company_id = $1 and ticket_id = any($3::int[]) on conflict do nothing)
    insert into ticket_products (company_id, ticket_id, product_id)
    select company_id, ticket_id, product_id from jsonb_populate_recordset(null::ticket_products, $2::jsonb -> 'products')
    where company_id = $1 and ticket_id = any($3::int[]) on conflict do nothing`,
};

/** Labels that the merge added to a ticket that nobody changed since. */
const REMOVE_MERGED_LABELS: Statement<never> = {
  name: "tickets_restore_remove_labels",
  text: `with tags as (
      delete from ticket_tags x where x.company_id = $1 and x.ticket_id = any($3::int[]) and not exists (
        select from jsonb_populate_recordset(null::ticket_tags, $2::jsonb -> 'tags') was
        where was.ticket_id = x.ticket_id and was.tag_id = x.tag_id))
    delete from ticket_products x where x.company_id = $1 and x.ticket_id = any($3::int[]) and not exists (
      select from jsonb_populate_recordset(null::ticket_products, $2::jsonb -> 'products') was
      where was.ticket_id = x.ticket_id and was.product_id = x.product_id)`,
};

/**
 * Restores tickets: inserts the deleted ones of this contact, moves back its others, and reverts those that nobody changed since.
 * `parted`: those that a deleted one was merged into and that are not reverted.
 */
export async function restoreTickets(
  ctx: Ctx,
  contactId: number,
  snapshot: TicketSnapshot,
  merged: readonly { readonly id: number; readonly version: number }[],
): Promise<{ readonly inserted: number[]; readonly changed: number[]; readonly parted: number[] }> {
  const json = JSON.stringify(snapshot);
  const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
  const inserted = ids(await ctx.raw(INSERT_DELETED, [ctx.companyId, json, contactId]));
  // Before `MOVE_BACK`, which raises the version that `REVERT_KEPT` compares.
  const reverted = ids(await ctx.raw(REVERT_KEPT, [ctx.companyId, json, JSON.stringify(merged)]));
  const moved = ids(await ctx.raw(MOVE_BACK, [ctx.companyId, json]));
  await ctx.raw(DELETE_NEW_EPISODES, [ctx.companyId, json, reverted]);
  await ctx.raw(RESTORE_EPISODES, [ctx.companyId, json, reverted]);
  await ctx.raw(RESTORE_LABELS, [ctx.companyId, json, inserted]);
  await ctx.raw(REMOVE_MERGED_LABELS, [ctx.companyId, json, reverted]);
  const left = merged.flatMap(({ id }) => (reverted.includes(id) ? [] : [id]));
  const parted = ids(await ctx.raw(FIND_PARTED, [ctx.companyId, json, left, inserted]));
  return { inserted, parted, changed: [...new Set([...reverted, ...moved])] };
}
