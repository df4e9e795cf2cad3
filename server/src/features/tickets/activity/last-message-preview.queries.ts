import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { TicketAssignment } from "../tickets.policy.ts";

const UPDATE_PREVIEW: Statement<TicketAssignment> = {
  name: "ticket_update_last_message_preview",
  text: `update tickets t set version = t.version + 1,
      last_message = case when last.is_deleted then '' when last.body = '' then coalesce(last.file_name, '') else left(last.body, 255) end,
      last_message_type = case when last.is_deleted then 'deleted' else last.media_type end
    from (
      select m.id, m.body, m.media_type, m.is_deleted, f.file_name from messages m left join media f on f.message_id = m.id
      where m.ticket_id = $2 order by m.sent_at desc, m.id desc limit 1) last
    where t.company_id = $1 and t.id = $2 and last.id = $3
    returning t.status, t.queue_id as "queueId", t.user_id as "userId"`,
};

// A customer waits since their first word that is left after our last answer; unread are at most those that are left. What tells of a
// ticket without messages stays.
const REBUILD: Statement<TicketAssignment> = {
  name: "ticket_rebuild_last_message",
  text: `update tickets t set version = t.version + 1, last_message = n.preview, last_message_type = n.type,
      last_message_from_me = n.from_me, last_message_at = n.at, unread_messages = n.unread, waiting_since = n.waiting_since
    from (
      select o.id, coalesce(last.preview, '') as preview, coalesce(last.type, 'chat') as type,
        coalesce(last.from_me, false) as from_me, coalesce(last.sent_at, o.last_message_at) as at,
        case when o.unread_messages = 0 then 0 else least(o.unread_messages, (
          select count(*)::int from messages m where m.ticket_id = o.id and not m.from_me and not m.is_read)) end as unread,
        case when o.waiting_since is null or last.is_answer then null else greatest(o.waiting_since, (
          select min(m.sent_at) from messages m where m.ticket_id = o.id and not m.from_me and m.sent_at > coalesce((
            select max(a.sent_at) from messages a where a.ticket_id = o.id and a.from_me and not a.is_automatic),
            '-infinity'))) end as waiting_since
      from tickets o left join lateral (
        select case when m.is_deleted then '' when m.body = '' then coalesce(f.file_name, '') else left(m.body, 255) end as preview,
          case when m.is_deleted then 'deleted' else m.media_type end as type, m.from_me, m.sent_at,
          m.from_me and not m.is_automatic as is_answer
        from messages m left join media f on f.message_id = m.id
        where m.ticket_id = o.id order by m.sent_at desc, m.id desc limit 1) last on true
      where o.company_id = $1 and o.id = $2) n
    where t.company_id = $1 and t.id = n.id
      and (t.last_message, t.last_message_type, t.last_message_from_me, t.last_message_at, t.unread_messages, t.waiting_since)
        is distinct from (n.preview, n.type, n.from_me, n.at, n.unread, n.waiting_since)
    returning t.status, t.queue_id as "queueId", t.user_id as "userId"`,
};

/** Rewrites what a ticket tells of its messages from those that are left. Lock it first. Undefined where it was right. */
export async function rebuildLastMessageRow(ctx: Ctx, ticketId: number): Promise<TicketAssignment | undefined> {
  const [ticket] = await ctx.raw(REBUILD, [ctx.companyId, ticketId]);
  return ticket;
}

/** Rewrites the last-message preview from the message as it is now. Undefined where another message is the last one. */
export async function updateLastMessagePreview(
  ctx: Ctx,
  ticketId: number,
  messageId: number,
): Promise<TicketAssignment | undefined> {
  const [ticket] = await ctx.raw(UPDATE_PREVIEW, [ctx.companyId, ticketId, messageId]);
  return ticket;
}
