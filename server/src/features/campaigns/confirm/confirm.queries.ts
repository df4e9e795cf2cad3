import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { writtenMessageSql } from "../campaigns.queries.ts";

const HAS_RECENT: Statement<{ found: boolean }> = {
  name: "campaigns_has_recent",
  text: `select exists (select from campaigns where company_id = $1
    and (status = 'EM_ANDAMENTO' or started_at > $2)) as found`,
};

/** Was a campaign sent since then, or is one being sent? */
export async function hasCampaignSince(ctx: Ctx, since: Date): Promise<boolean> {
  const [row] = await ctx.raw(HAS_RECENT, [ctx.companyId, since]);
  return row?.found === true;
}

/** What a campaign waits for from a contact: an answer to its request, or the first reply to its message. */
export interface Awaited {
  readonly recipientId: number;
  readonly campaignId: number;
  readonly contactId: number;
  readonly isAsked: boolean;
  /** The campaign is being sent: who agrees gets the message now. */
  readonly isRunning: boolean;
  /** The conversation in which it was asked, or written to; null: that is on another line now, where the contact was not. */
  readonly ticketId: number | null;
  /** When WhatsApp had the request, or the message; null: that is not counted yet. */
  readonly saidAt: Date | null;
  /** When it was stored for sending, in whole seconds; null: it was erased. */
  readonly storedAt: Date | null;
  /** When it was handed to WhatsApp first, acknowledged or not; null: it was not, or that is long ago. */
  readonly handedAt: Date | null;
  /** WhatsApp has it, also where `saidAt` is not known yet. */
  readonly isSaid: boolean;
  /** The id of the request, or of the message. */
  readonly askWaId: string | null;
  /** Nothing of ours came after the request: an answer without a quote means it. */
  readonly isLastSaid: boolean;
  readonly isMessaged: boolean;
}

// Locked with the ticket of the inbound message; rows that are still to be written to are left to the dispatch. A campaign that is
// over asks nobody any more: it writes nothing, whatever the answer.
const FIND_AWAITED: Statement<Awaited> = {
  name: "campaign_find_awaited",
  text: `select r.id as "recipientId", r.campaign_id as "campaignId", r.contact_id as "contactId",
      r.state = 'asked' and c.status <> 'FINALIZADA' as "isAsked", c.status = 'EM_ANDAMENTO' as "isRunning",
      t.id as "ticketId", case when r.message_id is null then r.confirmation_requested_at else r.sent_at end as "saidAt",
      m.sent_at as "storedAt",
      (select s.created_at from sent_payloads s where s.connection_id = m.connection_id and s.wa_id = m.wa_id) as "handedAt",
      coalesce(m.ack >= 1, false) as "isSaid", m.wa_id as "askWaId",
      r.state = 'asked' and m.id is not null and not exists (select from messages later
        where later.company_id = $1 and later.ticket_id = m.ticket_id and later.from_me and later.id > m.id) as "isLastSaid",
      r.message_id is not null as "isMessaged"
    from campaign_recipients r join campaigns c on c.company_id = $1 and c.id = r.campaign_id
    left join messages m on m.id = ${writtenMessageSql("r")}
    left join tickets t on t.company_id = $1 and t.id = m.ticket_id and t.connection_id = r.connection_id
    where r.company_id = $1 and r.contact_id = any($2::int[]) and r.queued_at > $3
      and (r.state = 'asked' or r.message_id is not null and r.answered_at is null)
    order by r.id for no key update of r`,
};

/** What campaigns wait for from these contacts, of what was sent since then. */
export async function findAwaited(ctx: Ctx, contactIds: readonly number[], since: Date): Promise<Awaited[]> {
  return ctx.raw(FIND_AWAITED, [ctx.companyId, contactIds, since]);
}

const SAVE_ANSWER: Statement<never> = {
  name: "campaign_save_answer",
  text: `update campaign_recipients set state = $3, confirmed_at = $4,
      confirmation_requested_at = coalesce(confirmation_requested_at, $5)
    where company_id = $1 and id = $2`,
};

/**
 * The answer to a request for confirmation. A yes or no proves that the request was sent, where its acknowledgement is not counted
 * yet; an opt-out may have come before it. `confirmedAt`: null unless the contact agreed.
 */
export async function saveAnswer(
  ctx: Ctx,
  { recipientId, isSaid, handedAt }: Pick<Awaited, "recipientId" | "isSaid" | "handedAt">,
  state: "agreed" | "declined" | "optedOut",
  confirmedAt: Date | null,
): Promise<void> {
  const sentBy = isSaid || handedAt !== null || state !== "optedOut" ? ctx.now() : null;
  await ctx.raw(SAVE_ANSWER, [ctx.companyId, recipientId, state, confirmedAt, sentBy]);
}

const SAVE_ANSWERED: Statement<never> = {
  name: "campaign_save_answered",
  text: `update campaign_recipients r set answered_at = reply.at
    from unnest($2::bigint[], $3::timestamptz[]) as reply(id, at)
    where r.company_id = $1 and r.id = reply.id and r.answered_at is null`,
};

/** The first replies to messages. */
export async function saveAnswered(
  ctx: Ctx,
  replies: readonly { readonly recipientId: number; readonly at: Date }[],
): Promise<void> {
  await ctx.raw(SAVE_ANSWERED, [
    ctx.companyId,
    replies.map(({ recipientId }) => recipientId),
    replies.map(({ at }) => at),
  ]);
}
