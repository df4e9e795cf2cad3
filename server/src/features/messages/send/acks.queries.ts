import type { SendFailure } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** A message with its ticket, to emit `messageUpdated`. */
export interface MessageIds {
  readonly id: number;
  readonly ticketId: number;
}

/** A message whose delivery changed. */
export interface DeliveredMessage extends MessageIds {
  readonly isOfCampaign: boolean;
}

const isOfCampaign = `coalesce(m.data ? 'campaign', false) as "isOfCampaign"`;

// `returning` sees the new row only, and a second look at the old one would miss a failure that commits meanwhile. So the
// first ack after a failure leaves the reason, which nobody reads of a message that did not fail, and the next one clears it.
const ADVANCE: Statement<DeliveredMessage & { readonly hadFailed: boolean }> = {
  name: "messages_advance",
  text: `update messages m set ack = $4, version = m.version + 1,
      fail_reason = case when m.ack = -1 then coalesce(m.fail_reason, 'unknown') end
    where m.company_id = $1 and m.connection_id = $2 and m.wa_id = any($3::text[]) and m.from_me and m.ack < $4
    returning m.id, m.ticket_id as "ticketId", m.fail_reason is not null as "hadFailed", ${isOfCampaign}`,
};

/** Raises the ack of own messages that have a lower one. Returns the changed messages. */
export async function saveAcks(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[],
  ack: number,
): Promise<(DeliveredMessage & { readonly hadFailed: boolean })[]> {
  return ctx.raw(ADVANCE, [ctx.companyId, connectionId, waIds, ack]);
}

const queuedOf = "m.company_id = $1 and m.connection_id = $2 and m.from_me and m.ack = 0";
const withIds = `${queuedOf} and m.wa_id = any($3::text[])`;

const TICKETS: Statement<{ ticketId: number }> = {
  name: "messages_tickets_of_queued",
  text: `select distinct m.ticket_id as "ticketId" from messages m where ${withIds}`,
};

const TICKETS_OF_ALL: Statement<{ ticketId: number }> = {
  name: "messages_tickets_of_all_queued",
  text: `select distinct m.ticket_id as "ticketId" from messages m where ${queuedOf}`,
};

/** The tickets of queued messages: those with these ids, or with null all of the connection. */
export async function findTicketsOfQueued(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[] | null,
): Promise<number[]> {
  const rows = await (waIds === null
    ? ctx.raw(TICKETS_OF_ALL, [ctx.companyId, connectionId])
    : ctx.raw(TICKETS, [ctx.companyId, connectionId, waIds]));
  return rows.map(({ ticketId }) => ticketId);
}

const FAIL: Statement<DeliveredMessage> = {
  name: "messages_fail",
  text: `update messages m set ack = -1, fail_reason = $4, version = m.version + 1
    where ${withIds} returning m.id, m.ticket_id as "ticketId", ${isOfCampaign}`,
};

const FAIL_ALL: Statement<DeliveredMessage> = {
  name: "messages_fail_queued",
  text: `update messages m set ack = -1, fail_reason = $3, version = m.version + 1
    where ${queuedOf} returning m.id, m.ticket_id as "ticketId", ${isOfCampaign}`,
};

/** Marks queued messages as failed: those with these ids, or with null all of the connection. Returns the changed ones. */
export async function saveFailures(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[] | null,
  reason: SendFailure,
): Promise<DeliveredMessage[]> {
  return waIds === null
    ? ctx.raw(FAIL_ALL, [ctx.companyId, connectionId, reason])
    : ctx.raw(FAIL, [ctx.companyId, connectionId, waIds, reason]);
}
