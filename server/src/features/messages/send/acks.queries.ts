import type { SendFailure } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const ADVANCE: Statement<MessageIds> = {
  name: "messages_advance",
  text: `update messages m set ack = $4, fail_reason = null, version = m.version + 1
    where m.company_id = $1 and m.connection_id = $2 and m.wa_id = any($3::text[]) and m.from_me and m.ack < $4
    returning m.id, m.ticket_id as "ticketId"`,
};

const FAIL: Statement<MessageIds> = {
  name: "messages_fail",
  text: `update messages m set ack = -1, fail_reason = $4, version = m.version + 1
    where m.company_id = $1 and m.connection_id = $2 and m.wa_id = any($3::text[]) and m.from_me and m.ack = 0
    returning m.id, m.ticket_id as "ticketId"`,
};

/** A message with its ticket, to emit `messageUpdated`. */
export interface MessageIds {
  readonly id: number;
  readonly ticketId: number;
}

/**
 * Raises the ack of own messages. Acks only move forward (behaviour 3): late and repeated ones change nothing. Returns the
 * changed messages.
 */
export async function advanceAcks(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[],
  ack: 1 | 2 | 3 | 4 | 5,
): Promise<MessageIds[]> {
  return ctx.raw(ADVANCE, [ctx.companyId, connectionId, waIds, ack]);
}

/** Marks queued messages as failed; sent ones stay as they are. Returns the changed messages. */
export async function failMessages(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[],
  reason: SendFailure,
): Promise<MessageIds[]> {
  return ctx.raw(FAIL, [ctx.companyId, connectionId, waIds, reason]);
}

const FAIL_QUEUED: Statement<MessageIds> = {
  name: "messages_fail_queued",
  text: `update messages set ack = -1, fail_reason = $3, version = version + 1
    where company_id = $1 and connection_id = $2 and from_me and ack = 0 returning id, ticket_id as "ticketId"`,
};

/** Marks all queued messages of a connection as failed. Returns the changed messages. */
export async function failQueuedMessages(ctx: Ctx, connectionId: number, reason: SendFailure): Promise<MessageIds[]> {
  return ctx.raw(FAIL_QUEUED, [ctx.companyId, connectionId, reason]);
}
