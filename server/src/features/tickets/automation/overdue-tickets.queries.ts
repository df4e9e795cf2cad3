import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { TicketAssignment } from "../tickets.policy.ts";
import { ticketColumns } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";

/** Which tickets of a connection are overdue: those without activity since `before`, at most `limit` at once. */
export interface OverdueCriteria {
  readonly connectionId: number;
  readonly before: Date;
  readonly limit: number;
}

/** A ticket that was moved to a queue, because its contact did not choose one. */
export interface MovedTicket {
  readonly id: number;
  readonly from: TicketAssignment;
  readonly to: TicketAssignment;
  /** The bot's menu of queues was waiting for an answer. */
  readonly hadMenu: boolean;
}

const TRANSFER_WAITING: Statement<MovedTicket> = {
  name: "tickets_transfer_waiting",
  text: `
    with late as (
      select t.id, coalesce(t.bot_state ->> 'place' = 'queues' and t.bot_state ->> 'isOver' = 'false', false) as had_menu
      from tickets t,
        lateral (select m.sent_at from messages m where m.ticket_id = t.id and not m.from_me
          order by m.sent_at desc, m.id desc limit 1) last
      where t.company_id = $1 and t.connection_id = $2 and t.status = 'pending' and t.queue_id is null
        and not t.is_group and last.sent_at <= $3
      order by t.id limit $4 for no key update of t skip locked),
    followed as (
      update episodes e set queue_id = $5 from late
      where e.company_id = $1 and e.ticket_id = late.id and e.finished_at is null)
    update tickets t set queue_id = $5, chatbot = false, bot_state = coalesce(t.bot_state, '{}') || '{"isOver": true}',
      version = t.version + 1, updated_at = $6
    from late where t.id = late.id
    returning t.id, late.had_menu as "hadMenu", json_build_object('status', t.status, 'queueId', null, 'userId', t.user_id) as "from",
      json_build_object('status', t.status, 'queueId', t.queue_id, 'userId', t.user_id) as "to"`,
};

/**
 * Transfers pending tickets without a queue, whose contact wrote last before `before`, to a queue; who waits for one user
 * goes on waiting for them there (decision 0144). Skips rows that another transaction has locked.
 */
export async function transferWaitingRows(
  ctx: Ctx,
  { connectionId, before, limit }: OverdueCriteria,
  queueId: number,
): Promise<MovedTicket[]> {
  return ctx.raw(TRANSFER_WAITING, [ctx.companyId, connectionId, before, limit, queueId, ctx.now()]);
}

/**
 * Did our last message, or the last of a person's, reach WhatsApp in time to be answered? Not while its line is down, nor where it failed.
 * What was handed over has a payload since then; what was written on the phone has none.
 */
const reached = (whose: string) => `coalesce((
        select m.ack >= 1 and not exists (
          select from sent_payloads s where s.connection_id = m.connection_id and s.wa_id = m.wa_id and s.created_at > $3)
        from messages m where m.ticket_id = t.id and m.from_me and not m.is_deleted ${whose}
        order by m.sent_at desc, m.id desc limit 1), true)`;

const LOCK_IDLE: Statement<TicketRow> = {
  name: "tickets_lock_idle",
  text: `select ${ticketColumns} from tickets t
    where t.company_id = $1 and t.connection_id = $2 and t.status = 'open' and not t.is_group
      and t.last_message_from_me and t.waiting_since is null and t.last_message_at <= $3
      and ${reached("")} and ${reached("and not m.is_automatic")}
    order by t.id limit $4 for no key update skip locked`,
};

/**
 * Locks open tickets whose last message is ours, sent before `before`, and was not answered by the contact. Where the contact
 * waits (decision 0158), that message is a notice or a schedule, and the answer that lacks is a person's; they wait as well while that
 * answer has not reached them.
 */
export async function lockIdleTickets(
  ctx: Ctx,
  { connectionId, before, limit }: OverdueCriteria,
): Promise<TicketRow[]> {
  return ctx.raw(LOCK_IDLE, [ctx.companyId, connectionId, before, limit]);
}
