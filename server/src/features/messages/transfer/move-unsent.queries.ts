import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

// What was handed to WhatsApp has a payload, which is committed before it leaves (decision 0030) and kept for 14 days.
const MOVE_UNSENT: Statement<{ id: number }> = {
  name: "messages_move_unsent",
  text: `update messages m set connection_id = $4
    where m.company_id = $1 and m.ticket_id = $2 and m.connection_id = $3 and m.from_me and m.ack = 0 and not m.is_deleted
      and m.created_at > now() - interval '14 days'
      and not exists (select from sent_payloads s where s.connection_id = m.connection_id and s.wa_id = m.wa_id)
    returning m.id`,
};

/**
 * Gives the queued messages of a ticket to another connection, except those that were, or may have been, handed to WhatsApp.
 * Nothing may be sending them. Returns their ids.
 */
export async function moveUnsentMessages(
  ctx: Ctx,
  { ticketId, from, to }: { readonly ticketId: number; readonly from: number; readonly to: number },
): Promise<number[]> {
  const moved = await ctx.raw(MOVE_UNSENT, [ctx.companyId, ticketId, from, to]);
  return moved.map(({ id }) => id);
}
