import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { TicketPlace } from "./tickets.policy.ts";
import { columns } from "./tickets.queries.ts";
import type { TicketRow } from "./tickets.queries.ts";

/** Where the bot left a ticket after a turn. */
export interface BotTurnRow {
  readonly ticketId: number;
  readonly queueId: number | null;
  /** Does the bot go on, or is a person waited for? */
  readonly chatbot: boolean;
  /** The bot's own notes, read by nobody else. */
  readonly botState: object;
  /** The assistant that leads from here, if one does. */
  readonly promptId: number | null;
  readonly integrationId: number | null;
}

// A queue that was deleted a moment ago, while the bot still knew it, is none.
const SAVE_TURNS: Statement<never> = {
  name: "tickets_save_bot_turns",
  text: `
    with turns as (
      select v.id, v.chatbot, v.bot_state, v.prompt_id, v.integration_id, q.id as queue_id
      from jsonb_to_recordset($2::jsonb) as v(id int, queue_id int, chatbot boolean, bot_state jsonb, prompt_id int,
        integration_id int)
      left join queues q on q.company_id = $1 and q.id = v.queue_id),
    followed as (
      update episodes e set queue_id = v.queue_id from turns v
      where e.company_id = $1 and e.ticket_id = v.id and e.finished_at is null and e.queue_id is distinct from v.queue_id)
    update tickets t set queue_id = v.queue_id, chatbot = v.chatbot, bot_state = v.bot_state, prompt_id = v.prompt_id,
      integration_id = v.integration_id, use_integration = v.integration_id is not null, version = t.version + 1,
      updated_at = $3
    from turns v where t.company_id = $1 and t.id = v.id`,
};

/** Keeps what the bot decided for many tickets in one statement. Lock them first, in the order of their ids. */
export async function saveBotTurns(ctx: Ctx, turns: readonly BotTurnRow[]): Promise<void> {
  if (turns.length === 0) {
    return;
  }
  const rows = turns.map(({ ticketId, queueId, chatbot, botState, promptId, integrationId }) => ({
    id: ticketId,
    queue_id: queueId,
    chatbot,
    bot_state: botState,
    prompt_id: promptId,
    integration_id: integrationId,
  }));
  await ctx.raw(SAVE_TURNS, [ctx.companyId, JSON.stringify(rows), ctx.now()]);
}

const ASK_RATING: Statement<never> = {
  name: "episode_ask_rating",
  text: `update episodes set rating_asked_at = $3 where company_id = $1 and id = $2`,
};

/** The contact was asked at this moment how the episode went. */
export async function markRatingAsked(ctx: Ctx, episodeId: number, at: Date): Promise<void> {
  await ctx.raw(ASK_RATING, [ctx.companyId, episodeId, at]);
}

const RATE: Statement<never> = {
  name: "episodes_rate",
  text: `update episodes e set rating = v.rating, rated_at = $3
    from jsonb_to_recordset($2::jsonb) as v(id int, rating int)
    where e.company_id = $1 and e.id = v.id and e.rating is null`,
};

/** What contacts answered. */
export async function recordRatings(
  ctx: Ctx,
  ratings: readonly { readonly episodeId: number; readonly rating: 1 | 2 | 3 }[],
): Promise<void> {
  const rows = ratings.map(({ episodeId, rating }) => ({ id: episodeId, rating }));
  await ctx.raw(RATE, [ctx.companyId, JSON.stringify(rows), ctx.now()]);
}

/** Tickets of one line whose time is up; at most so many at once. */
export interface Overdue {
  readonly connectionId: number;
  readonly before: Date;
  readonly most: number;
}

const TRANSFER_WAITING: Statement<{ id: number; from: TicketPlace; to: TicketPlace }> = {
  name: "tickets_transfer_waiting",
  text: `
    with late as (
      select t.id from tickets t,
        lateral (select m.sent_at from messages m where m.ticket_id = t.id and not m.from_me
          order by m.sent_at desc, m.id desc limit 1) word
      where t.company_id = $1 and t.connection_id = $2 and t.status = 'pending' and t.queue_id is null
        and not t.is_group and word.sent_at <= $3
      order by t.id limit $4 for no key update of t skip locked),
    followed as (
      update episodes e set queue_id = $5 from late
      where e.company_id = $1 and e.ticket_id = late.id and e.finished_at is null)
    update tickets t set queue_id = $5, chatbot = false, bot_state = coalesce(t.bot_state, '{}') || '{"isOver": true}',
      version = t.version + 1, updated_at = $6
    from late where t.id = late.id
    returning t.id, json_build_object('status', t.status, 'queueId', null, 'userId', null) as "from",
      json_build_object('status', t.status, 'queueId', t.queue_id, 'userId', null) as "to"`,
};

/**
 * Puts tickets that nobody chose a queue for, whose contact wrote their last word before that time, into a queue
 * . What another process holds at the moment is left to it. Returns where each stood and stands.
 */
export async function transferWaiting(
  ctx: Ctx,
  { connectionId, before, most }: Overdue,
  queueId: number,
): Promise<{ readonly id: number; readonly from: TicketPlace; readonly to: TicketPlace }[]> {
  return ctx.raw(TRANSFER_WAITING, [ctx.companyId, connectionId, before, most, queueId, ctx.now()]);
}

const LOCK_IDLE: Statement<TicketRow> = {
  name: "tickets_lock_idle",
  text: `select ${columns} from tickets t
    where t.company_id = $1 and t.connection_id = $2 and t.status = 'open' and not t.is_group
      and t.last_message_from_me and t.last_message_at <= $3
    order by t.id limit $4 for no key update skip locked`,
};

/** Open tickets whose contact left our last word, said before that time, without an answer. */
export async function lockIdleTickets(ctx: Ctx, { connectionId, before, most }: Overdue): Promise<TicketRow[]> {
  return ctx.raw(LOCK_IDLE, [ctx.companyId, connectionId, before, most]);
}
