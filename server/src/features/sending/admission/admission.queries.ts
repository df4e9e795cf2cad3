import type { SendingHours, WarmUpStep } from "@prosa/contract";
import { limitTimesSql } from "#server/features/connections/index.ts";
import type { LimitTimes } from "#server/features/connections/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { isOptedOutSql } from "../opt-outs/index.ts";
import { lastInboundSql, repliesSince, startedSince, wroteSql } from "../starts.ts";
import type { ContactFacts } from "./decide.ts";

/** A chat that the gate is asked about. */
export interface AskedChat {
  readonly connectionId: number;
  readonly contactId: number;
  readonly ticketId: number | null;
}

export interface FoundContact extends ContactFacts {
  /** Which of the chats. */
  readonly at: number;
  /** The line's next slot, locked; null: not asked for, or none was taken yet. */
  readonly nextSlotAt: Date | null;
}

// The paces are locked in the order of the lines. Not coalesce: with it no index of messages is used (decision 0197).
const CONTACT_FACTS: Statement<FoundContact> = {
  name: "sending_contact_facts",
  text: `with pace as materialized (
      select connection_id, next_at from line_pace
      where company_id = $1 and connection_id = any($3::int[]) and $5::boolean order by connection_id for update),
    asked as materialized (
      select a.at::int - 1 as at, a.contact_id, a.connection_id,
        case when a.ticket_id is not null then a.ticket_id else (
          select t.id from tickets t
          where t.company_id = $1 and t.connection_id = a.connection_id and t.contact_id = a.contact_id) end as ticket_id
      from unnest($2::int[], $3::int[], $4::int[]) with ordinality as a(contact_id, connection_id, ticket_id, at))
    select a.at, c.is_group as "isGroup", c.is_blocked as "isBlocked", ${isOptedOutSql("c")} as "isOptedOut",
      ${lastInboundSql("a.ticket_id", "$6::timestamptz")} as "lastInboundAt",
      ${wroteSql("a.ticket_id", "$7::timestamptz", false)} as "wroteToday",
      (select next_at from pace p where p.connection_id = a.connection_id) as "nextSlotAt"
    from asked a join contacts c on c.company_id = $1 and c.id = a.contact_id`,
};

/** One is missing where there is no such contact. With `locksPace` the lines' paces are locked until the transaction ends. */
export async function readContactFacts(
  ctx: Ctx,
  chats: readonly AskedChat[],
  locksPace: boolean,
): Promise<(FoundContact | undefined)[]> {
  const found = await ctx.raw(CONTACT_FACTS, [
    ctx.companyId,
    chats.map(({ contactId }) => contactId),
    chats.map(({ connectionId }) => connectionId),
    chats.map(({ ticketId }) => ticketId),
    locksPace,
    repliesSince(ctx.now()),
    startedSince(ctx.now()),
  ]);
  const byPlace = new Map(found.map((facts) => [facts.at, facts]));
  return chats.map((_chat, at) => byPlace.get(at));
}

const CREATE_PACES: Statement<{ connectionId: number; nextSlotAt: Date }> = {
  name: "line_paces_create",
  text: `insert into line_pace (connection_id, company_id, next_at)
    select id, $1, $3 from unnest($2::int[]) as w(id) order by id
    on conflict (connection_id) do update set next_at = line_pace.next_at
    returning connection_id as "connectionId", next_at as "nextSlotAt"`,
};

/** Locks the paces of lines that have started nothing yet; another transaction may have been faster. */
export async function createPaces(ctx: Ctx, connectionIds: readonly number[]): Promise<ReadonlyMap<number, Date>> {
  const rows = connectionIds.length === 0 ? [] : await ctx.raw(CREATE_PACES, [ctx.companyId, connectionIds, ctx.now()]);
  return new Map(rows.map(({ connectionId, nextSlotAt }) => [connectionId, nextSlotAt]));
}

const TAKE_SLOTS: Statement<never> = {
  name: "line_paces_take",
  text: `update line_pace p set next_at = w.next_at from unnest($2::int[], $3::timestamptz[]) as w(id, next_at)
    where p.company_id = $1 and p.connection_id = w.id`,
};

/** Lock the paces first. */
export async function saveNextSlots(ctx: Ctx, slots: ReadonlyMap<number, Date>): Promise<void> {
  if (slots.size > 0) {
    await ctx.raw(TAKE_SLOTS, [ctx.companyId, [...slots.keys()], [...slots.values()]]);
  }
}

/** A line, what WhatsApp limits it to, and the rules of its company and of the installation; null: none was saved. */
export interface StoredLine extends LimitTimes {
  readonly connectionId: number;
  readonly linkedAt: Date | null;
  readonly startedToday: number;
  readonly minGapSeconds: number | null;
  readonly hours: SendingHours | null;
  readonly dailyCap: number | null;
  readonly warmUp: boolean;
  readonly plan: readonly WarmUpStep[];
}

const LINE_RULES: Statement<StoredLine> = {
  name: "sending_line_rules",
  text: `with plan as materialized (
      select coalesce(json_agg(json_build_object('day', day, 'limit', start_limit)), '[]') as steps from warm_up_plan)
    select k.id as "connectionId", k.linked_at as "linkedAt", coalesce(d.started, 0) as "startedToday",${limitTimesSql("l")},
      s.min_gap_seconds as "minGapSeconds", s.hours, r.daily_cap as "dailyCap", coalesce(r.warm_up, true) as "warmUp",
      (select steps from plan) as plan
    from connections k
    left join line_limits l on l.connection_id = k.id
    left join line_days d on d.connection_id = k.id and d.day = $3::date
    left join sending_rules s on s.company_id = $1
    left join line_rules r on r.connection_id = k.id
    where k.company_id = $1 and k.id = any($2::int[])`,
};

/**
 * Read it after the paces are locked, so that what was started before is counted. `day`: yyyy-MM-dd in the company's time zone.
 * One is missing where there is no such line.
 */
export async function findLines(ctx: Ctx, connectionIds: readonly number[], day: string): Promise<StoredLine[]> {
  return connectionIds.length === 0 ? [] : ctx.raw(LINE_RULES, [ctx.companyId, connectionIds, day]);
}
