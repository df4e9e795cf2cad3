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

const REBUILD_PREVIEW: Statement<TicketAssignment> = {
  name: "ticket_rebuild_last_message_preview",
  text: `update tickets t set version = t.version + 1,
      last_message = coalesce(last.preview, ''), last_message_type = coalesce(last.type, 'chat')
    from (select 1) one left join (
      select case when m.is_deleted then '' when m.body = '' then coalesce(f.file_name, '') else left(m.body, 255) end as preview,
        case when m.is_deleted then 'deleted' else m.media_type end as type
      from messages m left join media f on f.message_id = m.id
      where m.ticket_id = $2 order by m.sent_at desc, m.id desc limit 1) last on true
    where t.company_id = $1 and t.id = $2
      and (t.last_message, t.last_message_type) is distinct from (coalesce(last.preview, ''), coalesce(last.type, 'chat'))
    returning t.status, t.queue_id as "queueId", t.user_id as "userId"`,
};

/** Rewrites the preview from the last message that is left. Undefined where it was right. */
export async function rebuildLastMessageRow(ctx: Ctx, ticketId: number): Promise<TicketAssignment | undefined> {
  const [ticket] = await ctx.raw(REBUILD_PREVIEW, [ctx.companyId, ticketId]);
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
