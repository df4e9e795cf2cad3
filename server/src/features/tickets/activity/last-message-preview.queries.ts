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

/** Rewrites the last-message preview from the message as it is now. Undefined where another message is the last one. */
export async function updateLastMessagePreview(
  ctx: Ctx,
  ticketId: number,
  messageId: number,
): Promise<TicketAssignment | undefined> {
  const [ticket] = await ctx.raw(UPDATE_PREVIEW, [ctx.companyId, ticketId, messageId]);
  return ticket;
}
