import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

/** A contact whose result changed. */
export interface TrackedRecipient {
  readonly campaignId: number;
  /** Its result is final for now. */
  readonly isFinal: boolean;
}

/**
 * SQL: the request for confirmation ended it, and not what came after: the opt-out of who had the request, or after a yes a message
 * that was refused. An acknowledgement of the request, which may come as late as it is read, takes none of them back.
 */
const endedByRequest = `(r.confirmed_at is null
          and (r.state = 'failed' or r.state = 'optedOut' and r.confirmation_requested_at is null))`;

// The message's present state counts, not the one that enqueued the job. States move forward, but for a failure, which a retry
// or a late acknowledgement ends. Both tables are told the ids: joined by them alone, a campaign that has just begun is read whole.
const TRACK: Statement<TrackedRecipient> = {
  name: "campaign_track",
  text: `with messaged as (
      update campaign_recipients r set
        state = case when m.ack = -1 and m.fail_reason = 'optedOut' then 'optedOut' when m.ack = -1 then 'failed'
          when m.ack = 0 then 'queued' when m.ack = 1 then 'sent' when m.ack = 2 then 'delivered' else 'read' end,
        reason = case when m.ack = -1 and m.fail_reason is distinct from 'optedOut' then coalesce(m.fail_reason, 'unknown') end,
        sent_at = case when m.ack >= 1 then coalesce(r.sent_at, $3) else r.sent_at end,
        delivered_at = case when m.ack >= 2 then coalesce(r.delivered_at, $3) else r.delivered_at end,
        read_at = case when m.ack >= 3 then coalesce(r.read_at, $3) else r.read_at end
      from messages m
      where m.company_id = $1 and m.id = any($2::bigint[]) and r.company_id = $1
        and r.message_id = any($2::bigint[]) and r.message_id = m.id
        and case r.state when 'queued' then m.ack <> 0 when 'sent' then m.ack >= 2 when 'delivered' then m.ack >= 3
          else r.state in ('failed', 'optedOut') and m.ack >= 0 end
      returning r.campaign_id, m.ack <> 0 as is_final),
    asked as (
      update campaign_recipients r set
        state = case when m.ack = -1 and m.fail_reason = 'optedOut' then 'optedOut' when m.ack = -1 then 'failed'
          when ${endedByRequest} then 'asked' else r.state end,
        confirmation_requested_at = case when m.ack >= 1 then coalesce(r.confirmation_requested_at, $3)
          else r.confirmation_requested_at end,
        reason = case when m.ack = -1 and m.fail_reason is distinct from 'optedOut' then coalesce(m.fail_reason, 'unknown') end
      from messages m
      where m.company_id = $1 and m.id = any($2::bigint[]) and r.company_id = $1
        and r.confirmation_message_id = any($2::bigint[]) and r.confirmation_message_id = m.id
        and r.message_id is null
        and (case r.state when 'asked' then m.ack = -1 else ${endedByRequest} and m.ack >= 0 end
          or m.ack >= 1 and r.confirmation_requested_at is null)
      returning r.campaign_id, m.ack = -1 as is_final)
    select campaign_id as "campaignId", bool_or(is_final) as "isFinal"
    from (select * from messaged union all select * from asked) changed group by campaign_id`,
};

/** Brings the delivery of these messages to the contacts that they were sent to. Returns the campaigns that changed. */
export async function trackMessages(ctx: Ctx, messageIds: readonly number[], at: Date): Promise<TrackedRecipient[]> {
  return ctx.raw(TRACK, [ctx.companyId, messageIds, at]);
}
