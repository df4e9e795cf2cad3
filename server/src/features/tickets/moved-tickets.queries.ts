import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { MoveTarget, MoveTx } from "#server/platform/db/index.ts";

const BATCH = 1_000;

/** The last message of each conversation that has moved in, as the lists show it: the source may tell another one, or none. */
export async function refreshMovedTickets(target: MoveTarget, companyId: number): Promise<void> {
  let isLast = target.runId === 0;
  for (let after = 0; !isLast;) {
    const rows = await target.inCompany(companyId, (tx) =>
      tx.query<{ id: number }>(
        `with page as (
           select distinct new_id::int as id from moved_rows
           where company_id = $1 and source_id = $2 and entity = 'tickets' and new_id > $3 order by 1 limit ${BATCH}),
         latest as (
           select p.id, m.* from page p, lateral (
             select m.body, m.media_type, m.from_me, m.sent_at from messages m
             where m.ticket_id = p.id order by m.sent_at desc, m.id desc limit 1) m),
         refreshed as (
           update tickets t set last_message = left(l.body, 500), last_message_type = l.media_type,
             last_message_from_me = l.from_me, last_message_at = l.sent_at,
             waiting_since = case when t.waiting_since is null then null else l.sent_at end
           from latest l where t.id = l.id and t.last_message_at <> l.sent_at)
         select id from page order by id`,
        [companyId, target.sourceId, after],
      ),
    );
    after = rows.at(-1)?.id ?? after;
    isLast = rows.length < BATCH;
  }
}

/** The same of one conversation, where older messages were taken in. */
export async function refreshMovedTicket(ctx: Ctx, ticketId: number): Promise<void> {
  await sql`
    update tickets t set last_message = left(l.body, 500), last_message_type = l.media_type,
      last_message_from_me = l.from_me, last_message_at = l.sent_at
    from (
      select m.body, m.media_type, m.from_me, m.sent_at from messages m
      where m.ticket_id = ${ticketId} order by m.sent_at desc, m.id desc limit 1) l
    where t.company_id = ${ctx.companyId} and t.id = ${ticketId} and t.last_message_at < l.sent_at`.execute(ctx.db);
}

/** How the source says by now that a conversation stands. */
export interface MovedState {
  readonly id: number;
  readonly status: "open" | "pending" | "closed";
  readonly userId: number | null;
  readonly queueId: number | null;
  readonly unread: number;
  /** The episode that it stands by. */
  readonly episodeId: number | null;
  readonly at: string;
}

/** The columns of `MovedState`; people and queues that are gone are nobody. */
const wanted = `wanted as (
  select w.id, w.unread, w.episode_id, w.at, case when w.status = 'open' and u.id is null then 'pending' else w.status end as status,
    u.id as user_id, q.id as queue_id
  from unnest($2::int[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[], $8::timestamptz[])
    w (id, status, user_id, queue_id, unread, episode_id, at)
  left join users u on u.company_id = $1 and u.id = w.user_id
  left join queues q on q.company_id = $1 and q.id = w.queue_id)`;

function valuesOf(companyId: number, states: readonly MovedState[]): unknown[] {
  return [
    companyId,
    states.map(({ id }) => id),
    states.map(({ status }) => status),
    states.map(({ userId }) => userId),
    states.map(({ queueId }) => queueId),
    states.map(({ unread }) => unread),
    states.map(({ episodeId }) => episodeId),
    states.map(({ at }) => at),
  ];
}

/** Those of the conversations that these runs made which stand otherwise here, and whether nobody has touched them since. */
export async function findOutdatedTickets(
  tx: MoveTx,
  companyId: number,
  { runs, states }: { readonly runs: readonly number[]; readonly states: readonly MovedState[] },
): Promise<{ id: number; isUntouched: boolean }[]> {
  const isMade = (entity: string, id: string) =>
    `exists (select from moved_rows r where r.run_id = any($9::int[]) and r.entity = '${entity}' and r.new_id = ${id} and r.is_made)`;
  return tx.query(
    `with ${wanted}
     select t.id, t.version = 1
       and not exists (select from messages m where m.ticket_id = t.id and not ${isMade("messages", "m.id")}) as "isUntouched"
     from wanted w join tickets t on t.company_id = $1 and t.id = w.id
     where (t.status, t.user_id, t.queue_id, t.unread_messages) is distinct from (w.status, w.user_id, w.queue_id, w.unread)
       and ${isMade("tickets", "t.id")}`,
    [...valuesOf(companyId, states), runs],
  );
}

/** Lets conversations stand as their source says, with the episode that runs. Their version stays that of a row nobody has touched. */
export async function saveMovedStates(tx: MoveTx, companyId: number, states: readonly MovedState[]): Promise<void> {
  const values = valuesOf(companyId, states);
  // Before the next one begins: a conversation has one running episode.
  await tx.query(
    `with ${wanted}
     update episodes e set finished_at = greatest(e.queued_at, w.at) from wanted w
     where e.company_id = $1 and e.ticket_id = w.id and e.finished_at is null
       and (w.status = 'closed' or e.id is distinct from w.episode_id)`,
    values,
  );
  await tx.query(
    `with ${wanted},
     standing as (
       update episodes e set user_id = coalesce(w.user_id, e.user_id), queue_id = w.queue_id,
         started_at = coalesce(e.started_at, case when w.status = 'open' then w.at end),
         finished_at = case when w.status = 'closed' then e.finished_at end
       from wanted w where e.company_id = $1 and e.id = w.episode_id and e.ticket_id = w.id)
     update tickets t set status = w.status, user_id = w.user_id, queue_id = w.queue_id, unread_messages = w.unread,
       waiting_since = case when w.unread > 0 then w.at end, episode_id = coalesce(w.episode_id, t.episode_id), updated_at = w.at
     from wanted w where t.company_id = $1 and t.id = w.id`,
    values,
  );
}
