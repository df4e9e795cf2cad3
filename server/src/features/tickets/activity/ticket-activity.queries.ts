import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import { protocolSql } from "../tickets.queries.ts";

/** What the new messages of one ticket change in its row. */
export interface TicketActivity {
  readonly ticketId: number;
  /** When the last of the new messages was sent; `body`, `mediaType` and `fromMe` are of that message. */
  readonly at: Date;
  readonly body: string;
  readonly mediaType: string;
  readonly fromMe: boolean;
  /** How many of them are unread. */
  readonly unread: number;
  /** The contact wrote to a closed or new ticket, which becomes pending in a new episode (behaviour 4); null: no change of status. */
  readonly opensAt: Date | null;
  /** The agent who served the contact last and gets the ticket open, instead of pending (setting reopenToAgentMinutes). */
  readonly opensTo: Agent | null;
}

/** The user who serves a ticket, and in which queue. */
export interface Agent {
  readonly userId: number;
  readonly queueId: number | null;
}

/** Characters of the last-message preview: lists show one line of it. */
const previewLength = 255;

const RECORD_TICKET_ACTIVITY: Statement<never> = {
  name: "tickets_record_activity",
  text: `
    with activity as (
      select * from jsonb_to_recordset($2::jsonb) as v(id int, at timestamptz, body text, type text, from_me boolean,
        unread int, opens_at timestamptz, user_id int, queue_id int)),
    opened as (
      insert into episodes (company_id, ticket_id, protocol, queued_at, started_at, user_id, queue_id)
      select $1::int, v.id, ${protocolSql("v.opens_at", "v.id", "$1::int")}, v.opens_at,
        case when v.user_id is not null then v.opens_at end, v.user_id, v.queue_id from activity v where v.opens_at is not null
      returning id, ticket_id)
    update tickets t set
      last_message = case when v.at >= t.last_message_at then v.body else t.last_message end,
      last_message_type = case when v.at >= t.last_message_at then v.type else t.last_message_type end,
      last_message_from_me = case when v.at >= t.last_message_at then v.from_me else t.last_message_from_me end,
      last_message_at = greatest(v.at, t.last_message_at),
      unread_messages = t.unread_messages + v.unread,
      status = case when o.id is null then t.status when v.user_id is null then 'pending' else 'open' end,
      user_id = case when o.id is null then t.user_id else v.user_id end,
      queue_id = case when o.id is null then t.queue_id else v.queue_id end,
      bot_state = case when o.id is null then t.bot_state when v.user_id is not null then '{"isOver": true}' end,
      episode_id = coalesce(o.id, t.episode_id),
      version = t.version + 1,
      updated_at = $3
    from activity v left join opened o on o.ticket_id = v.id
    where t.company_id = $1 and t.id = v.id`,
};

/**
 * Writes last-message preview, unread counter, and status where a ticket is opened, of many tickets in one statement. Lock
 * the tickets first, in the order of their ids.
 */
export async function recordTicketActivity(ctx: Ctx, activity: readonly TicketActivity[]): Promise<void> {
  if (activity.length === 0) {
    return;
  }
  const rows = activity.map(({ ticketId, at, body, mediaType, fromMe, unread, opensAt, opensTo }) => ({
    id: ticketId,
    at,
    body: truncateText(body, previewLength),
    type: mediaType,
    from_me: fromMe,
    unread,
    opens_at: opensAt,
    user_id: opensTo?.userId ?? null,
    queue_id: opensTo?.queueId ?? null,
  }));
  await ctx.raw(RECORD_TICKET_ACTIVITY, [ctx.companyId, JSON.stringify(rows), ctx.now()]);
}
