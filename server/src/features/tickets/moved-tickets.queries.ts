import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { MoveTarget } from "#server/platform/db/index.ts";

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
