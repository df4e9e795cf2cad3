import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";
import type { TicketAssignment } from "../tickets.policy.ts";
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
  /** The user whom the contact replied to: the ticket is pending for them, without the bot (`replyWaitsFor`). */
  readonly waitsFor: Agent | null;
  /** The contact's first word among them that no person answered in them; null: none. */
  readonly waitingSince: Date | null;
  /** When a person wrote the last answer among them, in the product or on the phone; null: none. */
  readonly answeredAt: Date | null;
  /** The user who scheduled or wrote these messages, where a reply to them waits for that user (decision 0144). */
  readonly awaitsReplyTo: number | null;
}

/** The user who serves a ticket, and in which queue. */
export interface Agent {
  readonly userId: number;
  readonly queueId: number | null;
}

/** Characters of the last-message preview: lists show one line of it. */
export const previewLength = 255;

const ACTIVITY = `
    with activity as (
      select * from jsonb_to_recordset($2::jsonb) as v(id int, at timestamptz, body text, type text, from_me boolean,
        unread int, opens_at timestamptz, status text, user_id int, queue_id int, awaited_user_id int,
        waiting_since timestamptz, answered_at timestamptz))`;

const OPENED = `,
    opened as (
      insert into episodes (company_id, ticket_id, protocol, queued_at, started_at, user_id, queue_id)
      select $1::int, v.id, ${protocolSql("v.opens_at", "v.id", "$1::int")}, v.opens_at,
        case v.status when 'open' then v.opens_at end, case v.status when 'open' then v.user_id end, v.queue_id
      from activity v where v.opens_at is not null
      returning id, ticket_id)`;

// `least` ignores null. An answer from the phone may arrive after a word that is newer than it, which goes on waiting.
const changed = (episodeId: string) => `
    update tickets t set
      last_message = case when v.at >= t.last_message_at then v.body else t.last_message end,
      last_message_type = case when v.at >= t.last_message_at then v.type else t.last_message_type end,
      last_message_from_me = case when v.at >= t.last_message_at then v.from_me else t.last_message_from_me end,
      last_message_at = greatest(v.at, t.last_message_at),
      unread_messages = t.unread_messages + v.unread,
      status = coalesce(v.status, t.status),
      user_id = case when v.status is null then t.user_id else v.user_id end,
      queue_id = case when v.status is null then t.queue_id else v.queue_id end,
      chatbot = t.chatbot and v.user_id is null,
      bot_state = case when v.status is null then t.bot_state when v.user_id is not null then '{"isOver": true}' end,
      episode_id = ${episodeId},
      awaited_user_id = case when v.unread > 0 then null else coalesce(v.awaited_user_id, t.awaited_user_id) end,
      awaited_since = case when v.unread > 0 then null when v.awaited_user_id is not null then v.at else t.awaited_since end,
      waiting_since = least(v.waiting_since,
        case when v.answered_at is null or t.waiting_since > v.answered_at then t.waiting_since end),
      version = t.version + 1,
      updated_at = $3`;

const RECORD_TICKET_ACTIVITY: Statement<never> = {
  name: "tickets_record_activity",
  text: `${ACTIVITY}${changed("t.episode_id")}
    from activity v where t.company_id = $1 and t.id = v.id`,
};

/** The same, where a ticket is opened in a new episode. */
const RECORD_OPENING_ACTIVITY: Statement<never> = {
  name: "tickets_record_opening_activity",
  text: `${ACTIVITY}${OPENED}${changed("coalesce(o.id, t.episode_id)")}
    from activity v left join opened o on o.ticket_id = v.id
    where t.company_id = $1 and t.id = v.id`,
};

/**
 * Writes last-message preview, unread counter, and status where a ticket is opened or waits for a user, of many tickets in
 * one statement, and with it the events and jobs so far. A message of the contact is the answer that was awaited. Lock the
 * tickets first, in the order of their ids. Nobody needs the answer: statements after it see what it wrote, the commit waits for
 * it, and its error is the transaction's.
 */
export function recordTicketActivity(ctx: Ctx, activity: readonly TicketActivity[]): void {
  if (activity.length === 0) {
    return;
  }
  const rows = activity.map((each) => {
    const after = assignmentAfter(each);
    return {
      id: each.ticketId,
      at: each.at,
      body: truncateText(each.body, previewLength),
      type: each.mediaType,
      from_me: each.fromMe,
      unread: each.unread,
      opens_at: each.opensAt,
      status: after?.status ?? null,
      user_id: after?.userId ?? null,
      queue_id: after?.queueId ?? null,
      awaited_user_id: each.awaitsReplyTo,
      waiting_since: each.waitingSince,
      answered_at: each.answeredAt,
    };
  });
  const statement = rows.some(({ opens_at }) => opens_at !== null) ? RECORD_OPENING_ACTIVITY : RECORD_TICKET_ACTIVITY;
  ctx.leaveWithOutbox(statement, [ctx.companyId, JSON.stringify(rows), ctx.now()]);
}

/** Status, user and queue of a ticket after its activity; null where they stay as they are. */
export function assignmentAfter({ opensAt, opensTo, waitsFor }: TicketActivity): TicketAssignment | null {
  if (opensTo) {
    return { status: "open", ...opensTo };
  }
  const waiting = waitsFor ?? (opensAt && { userId: null, queueId: null });
  return waiting && { status: "pending", ...waiting };
}
