import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** A message that was withdrawn before its time, or is queued again. */
export interface WithdrawnMessage {
  readonly id: number;
  readonly ticketId: number;
  readonly connectionId: number;
}

// A pause is at most 30 s (decision 0221), and sent_at the time at which the message was stored: the index finds the few of the last minutes.
const WITHDRAW: Statement<WithdrawnMessage> = {
  name: "messages_withdraw_paused",
  text: `update messages m set is_deleted = true, version = m.version + 1
    where m.company_id = $1 and m.ticket_id = any($2::int[]) and m.sent_at > $3::timestamptz - interval '10 minutes'
      and m.from_me and m.is_automatic and m.ack = 0 and not m.is_deleted and m.connection_id is not null
      and (m.data ->> 'dueAt')::timestamptz > $3
    returning m.id, m.ticket_id as "ticketId", m.connection_id as "connectionId"`,
};

/** Marks the queued automatic messages of these tickets as deleted whose pause is not over. Returns them, the oldest first. */
export async function withdrawPausedRows(ctx: Ctx, ticketIds: readonly number[]): Promise<WithdrawnMessage[]> {
  const rows = await ctx.raw(WITHDRAW, [ctx.companyId, ticketIds, ctx.now()]);
  return rows.toSorted((one, other) => one.id - other.id);
}

const RESTORE: Statement<WithdrawnMessage> = {
  name: "messages_restore_withdrawn",
  text: `update messages m set is_deleted = false, version = m.version + 1
    where m.company_id = $1 and m.id = any($2::bigint[]) and m.is_deleted and m.ack = 0 and m.fail_reason is null
      and m.connection_id is not null
      and not exists (select from sent_payloads s where s.connection_id = m.connection_id and s.wa_id = m.wa_id)
    returning m.id, m.ticket_id as "ticketId", m.connection_id as "connectionId"`,
};

/** Queues withdrawn messages again, without those that WhatsApp may have had: they are revoked there. Returns them, the oldest first. */
export async function restoreWithdrawnRows(ctx: Ctx, messageIds: readonly number[]): Promise<WithdrawnMessage[]> {
  const rows = await ctx.raw(RESTORE, [ctx.companyId, messageIds]);
  return rows.toSorted((one, other) => one.id - other.id);
}
