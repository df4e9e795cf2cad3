import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import { namesOneOf } from "#server/platform/db/index.ts";

export interface DoomedMessage {
  readonly id: number;
  readonly ticketId: number;
  readonly connectionId: number | null;
  readonly waId: string;
  readonly storageKey: string | null;
}

const doomedColumns = sql`m.id, m.ticket_id as "ticketId", m.connection_id as "connectionId", m.wa_id as "waId",
  f.storage_key as "storageKey"`;

/** Messages of the contact's own conversations. */
export async function findMessagesOf(ctx: Ctx, contactId: number, limit: number): Promise<DoomedMessage[]> {
  const { rows } = await sql<DoomedMessage>`select ${doomedColumns} from messages m
    left join media f on f.message_id = m.id
    where m.company_id = ${ctx.companyId} and (m.contact_id = ${contactId}
      or m.ticket_id in (select id from tickets where company_id = ${ctx.companyId} and contact_id = ${contactId}))
    limit ${limit}`.execute(ctx.db);
  return rows;
}

/** What the person wrote in groups. */
export async function findMessagesInGroups(
  ctx: Ctx,
  numbers: readonly string[],
  lids: readonly string[],
  limit: number,
): Promise<DoomedMessage[]> {
  const { rows } = await sql<DoomedMessage>`select ${doomedColumns} from messages m
    left join media f on f.message_id = m.id
    where m.company_id = ${ctx.companyId} and m.participant is not null
      and (m.participant ->> 'phone' = any(${numbers}::text[]) or m.participant ->> 'number' = any(${numbers}::text[])
        or m.participant ->> 'lid' = any(${lids}::text[]))
    limit ${limit}`.execute(ctx.db);
  return rows;
}

/** How many days messages of resolved conversations are kept; null: a queue's as the company's, the company's for ever. */
export interface DaysOfKeeping {
  /** Of what was written outside the queues, and in queues without days of their own. */
  readonly companyDays: number | null;
  readonly queues: readonly { readonly id: number; readonly days: number | null }[];
}

/**
 * SQL of the messages `m`, with their files `f`, of resolved conversations that are older than the days of the queue in which they
 * were served (decision 0285). A message belongs to the episode that ended next after it, one after the last end to the ticket as it
 * is; and it stays while the days of any episode that ran when it was written do, because two that ran side by side on two
 * connections or for two contacts may be of one ticket now. Episodes are read of conversations only that have a message older than
 * the shortest days, which the index `messages_in_ticket` tells.
 */
function expired(ctx: Ctx, { companyDays, queues }: DaysOfKeeping) {
  const set = [companyDays, ...queues.map(({ days }) => days)].filter((days) => days !== null);
  const shortest = set.length === 0 ? null : Math.min(...set);
  const daysOfQueues = sql`unnest(${queues.map(({ id }) => id)}::int[], ${queues.map(({ days }) => days)}::int[]) as q(id, days)`;
  const keptSince = sql`${ctx.now()}::timestamptz - make_interval(days => coalesce(q.days, ${companyDays}::int))`;
  return sql`from tickets t
    cross join lateral (
      select e.queue_id, coalesce(lag(e.finished_at) over (order by e.finished_at, e.id), '-infinity'), e.finished_at
      from episodes e where e.ticket_id = t.id and e.finished_at is not null
      union all
      select t.queue_id, coalesce(max(e.finished_at), '-infinity'), 'infinity' from episodes e where e.ticket_id = t.id
    ) s (queue_id, since, until)
    cross join lateral (
      -- once for each ticket; times of messages are whole seconds, and without days since the episode began
      select range_agg(tstzrange(e.since, e.finished_at, '[]')) as times from (
        select e.finished_at, greatest(date_trunc('second', e.queued_at), ${keptSince}) as since
        from episodes e left join ${daysOfQueues} on q.id = e.queue_id where e.ticket_id = t.id) e
      where e.finished_at is null or e.since <= e.finished_at
    ) kept
    left join ${daysOfQueues} on q.id = s.queue_id
    join messages m on m.ticket_id = t.id and m.sent_at > s.since and m.sent_at <= s.until
      and m.sent_at < ${keptSince} and (kept.times @> m.sent_at) is not true
    left join media f on f.message_id = m.id
    where t.company_id = ${ctx.companyId} and t.status = 'closed' and exists (select from messages o
      where o.ticket_id = t.id and o.sent_at < ${ctx.now()}::timestamptz - make_interval(days => ${shortest}::int))`;
}

/** A batch of the messages whose days are over. */
export async function findExpiredMessages(ctx: Ctx, days: DaysOfKeeping, limit: number): Promise<DoomedMessage[]> {
  const { rows } = await sql<DoomedMessage>`select ${doomedColumns} ${expired(ctx, days)} limit ${limit}`.execute(
    ctx.db,
  );
  return rows;
}

/** How many messages and files certain days would delete. */
export async function countExpired(
  ctx: Ctx,
  days: DaysOfKeeping,
): Promise<{ readonly messages: number; readonly files: number }> {
  const { rows } = await sql<{ messages: number; files: number }>`
    select count(*)::int as messages, count(f.storage_key)::int as files ${expired(ctx, days)}`.execute(ctx.db);
  return rows[0] ?? { messages: 0, files: 0 };
}

export async function deleteMessages(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await sql`delete from messages where company_id = ${ctx.companyId} and id = any(${ids}::bigint[])`.execute(ctx.db);
}

/** Reactions of the person to messages of others, and changes that wait for a message. */
export async function deleteTraces(ctx: Ctx, identifiers: readonly string[], limit: number): Promise<number> {
  const { numAffectedRows: reactions = 0n } = await sql`delete from message_reactions
    where (message_id, sender) in (select message_id, sender from message_reactions
      where company_id = ${ctx.companyId} and sender <> ''
        and split_part(sender, '@', 1) = any(${identifiers}::text[]) limit ${limit})`.execute(ctx.db);
  const { numAffectedRows: changes = 0n } = await sql`delete from message_changes_waiting
    where id in (select id from message_changes_waiting where company_id = ${ctx.companyId}
      and ${namesOneOf(sql`change::text`, identifiers)} limit ${limit})`.execute(ctx.db);
  return Math.max(Number(reactions), Number(changes));
}

/** Keys of the words that these messages are found by. */
export async function findWordKeys(ctx: Ctx, doomed: readonly DoomedMessage[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct word_key(x.company_id, w.word)::text as key
    from unnest(${doomed.map(({ ticketId }) => ticketId)}::int[], ${doomed.map(({ id }) => id)}::bigint[]) as d(ticket_id, id)
    join message_texts x on x.ticket_id = d.ticket_id and x.message_id = d.id, words_of(x.text) w (word)
    where x.company_id = ${ctx.companyId}`.execute(ctx.db);
  return rows.map(({ key }) => key);
}

/** Removes those of these words that no message of the company has any more: the vocabulary of the search tells nothing of what is gone. */
export async function deleteUnusedWords(ctx: Ctx, keys: readonly string[]): Promise<void> {
  await sql`select forget_unused_words(${keys}::bigint[])`.execute(ctx.db);
}
