import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import type { ChangeFailure } from "../messages.queries.ts";

export type ChangeKind = ChangeFailure["kind"];

/** A message with what its change sends to WhatsApp. */
export interface OutgoingChange {
  readonly contactId: number;
  readonly waId: string;
  readonly fromMe: boolean;
  readonly ack: number;
  readonly body: string;
  readonly isDeleted: boolean;
  readonly participant: PersonRef | null;
  /** When it was stored. */
  readonly sentAt: Date;
  /** When it was handed to WhatsApp first, acknowledged or not; null: it was not, or that is long ago. */
  readonly handedAt: Date | null;
  /** The company's reaction; empty if there is none. */
  readonly ownReaction: string;
  readonly failedKind: ChangeKind | null;
}

const FIND_OUTGOING: Statement<OutgoingChange> = {
  name: "message_outgoing_change",
  text: `select m.contact_id as "contactId", m.wa_id as "waId", m.from_me as "fromMe", m.ack, m.body,
      m.is_deleted as "isDeleted", m.participant, m.change_failure ->> 'kind' as "failedKind", m.sent_at as "sentAt",
      (select s.created_at from sent_payloads s where s.connection_id = m.connection_id and s.wa_id = m.wa_id) as "handedAt",
      coalesce((select r.emoji from message_reactions r where r.message_id = m.id and r.sender = ''), '') as "ownReaction"
    from messages m where m.company_id = $1 and m.id = $2`,
};

/** Undefined if the message was deleted together with its ticket. */
export async function findOutgoingChange(ctx: Ctx, messageId: number): Promise<OutgoingChange | undefined> {
  const [message] = await ctx.raw(FIND_OUTGOING, [ctx.companyId, messageId]);
  return message;
}

const SAVE_FAILURE: Statement<{ ticketId: number }> = {
  name: "message_change_failed",
  text: `update messages set change_failure = $3, version = version + 1 where company_id = $1 and id = $2
    returning ticket_id as "ticketId"`,
};

/** Stores that a change was not delivered and will not be retried automatically. Returns the message's ticket. */
export async function failChange(ctx: Ctx, messageId: number, failure: ChangeFailure): Promise<number | undefined> {
  const [row] = await ctx.raw(SAVE_FAILURE, [ctx.companyId, messageId, JSON.stringify(failure)]);
  return row?.ticketId;
}

const CLEAR_FAILURE: Statement<{ ticketId: number }> = {
  name: "message_change_failure_clear",
  text: `update messages set change_failure = null, version = version + 1
    where company_id = $1 and id = $2 and (change_failure ->> 'kind' = $3 or $3 = 'revoke') and change_failure is not null
    returning ticket_id as "ticketId"`,
};

/** Clears the failure of a change that is sent again or was delivered. A deletion clears a failed edit as well. */
export async function clearChangeFailure(ctx: Ctx, messageId: number, kind: ChangeKind): Promise<number | undefined> {
  const [row] = await ctx.raw(CLEAR_FAILURE, [ctx.companyId, messageId, kind]);
  return row?.ticketId;
}
