import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { waitingSinceAfter } from "../tickets.queries.ts";
import type { EpisodeStep, TicketRow } from "../tickets.queries.ts";
import type { TicketChange } from "../tickets.state.ts";

/** State of a ticket and its episode before a bulk changed them; opaque JSON besides the id. */
export interface TicketStateSnapshot {
  readonly id: number;
  readonly was: Readonly<Record<string, unknown>>;
}

// Read after the lock, in a statement of its own: one that waited for the lock would see the other tables as of its start.
const STATE_SNAPSHOTS: Statement<TicketStateSnapshot> = {
  name: "tickets_state_snapshots",
  text: `select t.id, jsonb_build_object('status', t.status, 'user_id', t.user_id, 'queue_id', t.queue_id,
      'chatbot', t.chatbot, 'use_integration', t.use_integration, 'integration_id', t.integration_id,
      'prompt_id', t.prompt_id, 'bot_state', t.bot_state, 'awaited_user_id', t.awaited_user_id,
      'awaited_since', t.awaited_since, 'waiting_since', t.waiting_since, 'episode_id', e.id, 'started_at', e.started_at,
      'finished_at', e.finished_at, 'episode_user_id', e.user_id, 'episode_queue_id', e.queue_id) as was
    from tickets t left join episodes e on e.id = t.episode_id
    where t.company_id = $1 and t.id = any($2::int[])`,
};

/** Reads what `restoreStates` needs. Lock the tickets first. */
export async function readStateSnapshots(ctx: Ctx, ids: readonly number[]): Promise<TicketStateSnapshot[]> {
  return ctx.raw(STATE_SNAPSHOTS, [ctx.companyId, ids]);
}

const SAVE_TICKETS: Statement<{ id: number; version: number }> = {
  name: "tickets_save_running",
  text: `with next as (
      select * from jsonb_to_recordset($2::jsonb) as v(id int, status text, user_id int, queue_id int, chatbot boolean,
        use_integration boolean, integration_id int, prompt_id int, awaited_user_id int)),
    running as (
      update episodes e set user_id = v.user_id, queue_id = v.queue_id,
        started_at = case $4 when 'start' then coalesce(e.started_at, $3) when 'requeue' then null else e.started_at end,
        finished_at = case $4 when 'finish' then $3::timestamptz end
      from next v where e.company_id = $1 and e.ticket_id = v.id and e.finished_at is null)
    update tickets t set status = v.status, user_id = v.user_id, queue_id = v.queue_id, chatbot = v.chatbot,
      use_integration = v.use_integration, integration_id = v.integration_id, prompt_id = v.prompt_id,
      awaited_user_id = v.awaited_user_id,
      awaited_since = case when t.awaited_user_id = v.awaited_user_id then t.awaited_since end,
      waiting_since = ${waitingSinceAfter("v.status", "$4", "$3")},
      version = t.version + 1, updated_at = $3,
      bot_state = case when v.chatbot then t.bot_state else coalesce(t.bot_state, '{}') || '{"isOver": true}' end
    from next v where t.company_id = $1 and t.id = v.id
    returning t.id, t.version::int`,
};

/** `saveTicket` for many tickets that take the same step of a running episode. Returns their new versions. */
export async function saveTickets(
  ctx: Ctx,
  changed: readonly { readonly ticket: TicketRow; readonly change: TicketChange }[],
  step: Extract<EpisodeStep, "start" | "requeue" | "finish">,
): Promise<{ id: number; version: number }[]> {
  const rows = changed.map(({ ticket, change }) => {
    const next = { ...ticket, ...change };
    return {
      id: next.id,
      status: next.status,
      user_id: next.userId,
      queue_id: next.queueId,
      chatbot: next.chatbot,
      use_integration: next.useIntegration,
      integration_id: next.integrationId,
      prompt_id: next.promptId,
      awaited_user_id: next.awaitedUserId,
    };
  });
  return ctx.raw(SAVE_TICKETS, [ctx.companyId, JSON.stringify(rows), ctx.now(), step]);
}

const ADD_TAGS: Statement<{ id: number; tagIds: number[]; version: number }> = {
  name: "tickets_tags_add",
  text: `with added as (
      insert into ticket_tags (company_id, ticket_id, tag_id)
      select $1, ticket_id, g.id from unnest($2::int[]) as ticket_id, tags g where g.company_id = $1 and g.id = any($3::int[])
      on conflict do nothing returning ticket_id, tag_id),
    tagged as (select ticket_id, array_agg(tag_id) as tag_ids from added group by ticket_id)
    update tickets t set version = t.version + 1, updated_at = $4 from tagged
    where t.company_id = $1 and t.id = tagged.ticket_id
    returning t.id, tagged.tag_ids as "tagIds", t.version::int`,
};

/** Adds tags to tickets; returns the tickets that lacked one, with the tags that were added. */
export async function addTags(
  ctx: Ctx,
  ticketIds: readonly number[],
  tagIds: readonly number[],
): Promise<{ id: number; tagIds: number[]; version: number }[]> {
  return ctx.raw(ADD_TAGS, [ctx.companyId, ticketIds, tagIds, ctx.now()]);
}

/** One ticket of a bulk, for its undo: its state before, or the tags added; and the version that the bulk left. */
export interface BulkSnapshot {
  readonly id: number;
  readonly version: number;
  readonly was?: Readonly<Record<string, unknown>>;
  readonly tagIds?: readonly number[];
  /** Messages of the bot that were withdrawn. Absent in bulks of the release before. */
  readonly withdrawn?: readonly number[];
}

const INSERT_BULK: Statement<{ id: string }> = {
  name: "ticket_bulk_insert",
  text: `with old as (
      delete from ticket_bulks where company_id = $1 and undo_until < $4::timestamptz - interval '1 day')
    insert into ticket_bulks (company_id, user_id, tickets, undo_until) values ($1, $2, $3, $4) returning id`,
};

/** Stores a bulk until its undo deadline; deletes bulks whose deadline passed more than a day ago. */
export async function insertBulk(
  ctx: Ctx,
  userId: number,
  tickets: readonly BulkSnapshot[],
  undoUntil: Date,
): Promise<string> {
  const [row] = await ctx.raw(INSERT_BULK, [ctx.companyId, userId, JSON.stringify(tickets), undoUntil]);
  return row!.id;
}

export interface BulkRow {
  readonly userId: number;
  readonly tickets: readonly BulkSnapshot[];
  readonly undoUntil: Date;
  readonly undoneAt: Date | null;
}

const LOCK_BULK: Statement<BulkRow> = {
  name: "ticket_bulk_lock",
  text: `select user_id as "userId", tickets, undo_until as "undoUntil", undone_at as "undoneAt"
    from ticket_bulks where company_id = $1 and id = $2 for update`,
};

export async function lockBulk(ctx: Ctx, id: string): Promise<BulkRow | undefined> {
  const [row] = await ctx.raw(LOCK_BULK, [ctx.companyId, id]);
  return row;
}

const MARK_UNDONE: Statement<never> = {
  name: "ticket_bulk_undone",
  text: `update ticket_bulks set undone_at = $3 where company_id = $1 and id = $2`,
};

export async function markUndone(ctx: Ctx, id: string): Promise<void> {
  await ctx.raw(MARK_UNDONE, [ctx.companyId, id, ctx.now()]);
}

const LOCK_BULK_FOR_SHARE: Statement<{ undone: boolean }> = {
  name: "ticket_bulk_lock_for_share",
  text: `select undone_at is not null as undone from ticket_bulks where company_id = $1 and id = $2 for share`,
};

/** Reads whether the bulk was undone, with a share lock: nobody undoes it until the transaction ends. */
export async function lockBulkForShare(ctx: Ctx, id: string): Promise<"undone" | "done"> {
  const [row] = await ctx.raw(LOCK_BULK_FOR_SHARE, [ctx.companyId, id]);
  return row?.undone ? "undone" : "done";
}

// A ticket with another version was changed since the bulk. One whose queue or user was deleted since cannot be restored.
const RESTORE_STATES: Statement<{ id: number }> = {
  name: "tickets_restore_states",
  text: `with past as (
      select v.id, v.version, was.* from jsonb_to_recordset($2::jsonb) as v(id int, version int, was jsonb),
        jsonb_to_record(v.was) as was(status text, user_id int, queue_id int, chatbot boolean, use_integration boolean,
          integration_id int, prompt_id int, bot_state jsonb, awaited_user_id int, awaited_since timestamptz,
          waiting_since timestamptz, episode_id int, started_at timestamptz, finished_at timestamptz,
          episode_user_id int, episode_queue_id int)),
    possible as (
      select past.* from past join tickets t on t.company_id = $1 and t.id = past.id and t.version = past.version
      where (past.user_id is null or exists (select from users u where u.company_id = $1 and u.id = past.user_id))
        and (past.queue_id is null or exists (select from queues q where q.company_id = $1 and q.id = past.queue_id))),
    episode as (
      update episodes e set started_at = p.started_at, finished_at = p.finished_at, user_id = u.id, queue_id = q.id
      from possible p left join users u on u.company_id = $1 and u.id = p.episode_user_id
        left join queues q on q.company_id = $1 and q.id = p.episode_queue_id
      where e.company_id = $1 and e.id = p.episode_id)
    update tickets t set status = p.status, user_id = p.user_id, queue_id = p.queue_id, chatbot = p.chatbot,
      use_integration = p.use_integration,
      integration_id = (select i.id from queue_integrations i where i.company_id = $1 and i.id = p.integration_id),
      prompt_id = (select o.id from prompts o where o.company_id = $1 and o.id = p.prompt_id),
      awaited_user_id = (select u.id from users u where u.company_id = $1 and u.id = p.awaited_user_id),
      awaited_since = p.awaited_since, waiting_since = p.waiting_since,
      bot_state = nullif(p.bot_state, 'null'), version = t.version + 1, updated_at = $3
    from possible p where t.company_id = $1 and t.id = p.id
    returning t.id`,
};

/** Restores tickets and episodes to their state before the bulk; returns the tickets that nobody changed since. */
export async function restoreStates(ctx: Ctx, tickets: readonly BulkSnapshot[]): Promise<number[]> {
  const rows = await ctx.raw(RESTORE_STATES, [ctx.companyId, JSON.stringify(tickets), ctx.now()]);
  return rows.map(({ id }) => id);
}

const REMOVE_TAGS: Statement<{ id: number }> = {
  name: "tickets_tags_remove",
  text: `with past as (select * from jsonb_to_recordset($2::jsonb) as v(id int, version int, "tagIds" jsonb)),
    same as (
      update tickets t set version = t.version + 1, updated_at = $3 from past
      where t.company_id = $1 and t.id = past.id and t.version = past.version
      returning t.id, past."tagIds" as tag_ids),
    removed as (
      delete from ticket_tags x using same where x.company_id = $1 and x.ticket_id = same.id
        and x.tag_id in (select value::int from jsonb_array_elements_text(same.tag_ids)))
    select id from same`,
};

/** Removes the tags that `addTags` added; returns the tickets that nobody changed since. */
export async function removeTags(ctx: Ctx, tickets: readonly BulkSnapshot[]): Promise<number[]> {
  const rows = await ctx.raw(REMOVE_TAGS, [ctx.companyId, JSON.stringify(tickets), ctx.now()]);
  return rows.map(({ id }) => id);
}

// Whole seconds, as the times of messages: what was written in the second of the bulk counts.
const HAS_WRITTEN_SINCE: Statement<{ hasWritten: boolean }> = {
  name: "ticket_has_written_since",
  text: `select exists (select from messages m where m.company_id = $1 and m.ticket_id = $2 and m.from_me and not m.is_automatic
      and (m.user_id = $4 or m.user_id is null) and m.sent_at >= date_trunc('second', $3::timestamptz)) as "hasWritten"`,
};

/** Did this user, or somebody on the phone, write in the ticket since then? Not what the product says by itself. */
export async function hasWrittenSince(ctx: Ctx, ticketId: number, userId: number, at: Date): Promise<boolean> {
  const [row] = await ctx.raw(HAS_WRITTEN_SINCE, [ctx.companyId, ticketId, at, userId]);
  return row?.hasWritten ?? false;
}
