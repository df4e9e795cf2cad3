import type { SendingHours, WarmUpStep } from "@prosa/contract";
import { limitTimesSql } from "#server/features/connections/index.ts";
import type { LimitTimes } from "#server/features/connections/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { isOptedOutSql } from "../opt-outs/index.ts";
import { lastInboundSql, repliesSince, startedSince, wroteSql } from "../starts.ts";
import type { ContactFacts } from "./decide.ts";

export interface FoundContact extends ContactFacts {
  /** The line's next slot, locked; null: not asked for, or none was taken yet. */
  readonly nextSlotAt: Date | null;
}

// Not coalesce: with it no index of messages is used (decision 0197).
const ticketOf = `case when $4::int is not null then $4
    else (select t.id from tickets t where t.company_id = $1 and t.connection_id = $3 and t.contact_id = $2) end`;

const CONTACT_FACTS: Statement<FoundContact> = {
  name: "sending_contact_facts",
  text: `with pace as materialized (
      select next_at from line_pace where company_id = $1 and connection_id = $3 and $5::boolean for update)
    select c.is_group as "isGroup", c.is_blocked as "isBlocked", ${isOptedOutSql("c")} as "isOptedOut",
      ${lastInboundSql("t.id", "$6::timestamptz")} as "lastInboundAt", ${wroteSql("t.id", "$7::timestamptz", false)} as "wroteToday",
      (select next_at from pace) as "nextSlotAt"
    from contacts c cross join (select ${ticketOf} as id) t
    where c.company_id = $1 and c.id = $2`,
};

/** Undefined where there is no such contact. With `locksPace` the line's pace is locked until the transaction ends. */
export async function readContactFacts(
  ctx: Ctx,
  request: { readonly connectionId: number; readonly contactId: number; readonly ticketId: number | null },
  locksPace: boolean,
): Promise<FoundContact | undefined> {
  const { connectionId, contactId, ticketId } = request;
  const [facts] = await ctx.raw(CONTACT_FACTS, [
    ...[ctx.companyId, contactId, connectionId, ticketId, locksPace],
    ...[repliesSince(ctx.now()), startedSince(ctx.now())],
  ]);
  return facts;
}

const CREATE_PACE: Statement<{ nextSlotAt: Date }> = {
  name: "line_pace_create",
  text: `insert into line_pace (connection_id, company_id, next_at) values ($1, $2, $3)
    on conflict (connection_id) do update set next_at = line_pace.next_at returning next_at as "nextSlotAt"`,
};

/** Locks the pace of a line that has started nothing yet; another transaction may have been faster. */
export async function createPace(ctx: Ctx, connectionId: number): Promise<Date> {
  const [row] = await ctx.raw(CREATE_PACE, [connectionId, ctx.companyId, ctx.now()]);
  return row!.nextSlotAt;
}

const TAKE_SLOT: Statement<never> = {
  name: "line_pace_take",
  text: "update line_pace set next_at = $3 where company_id = $2 and connection_id = $1",
};

/** Lock the pace first. */
export async function saveNextSlot(ctx: Ctx, connectionId: number, nextAt: Date): Promise<void> {
  await ctx.raw(TAKE_SLOT, [connectionId, ctx.companyId, nextAt]);
}

/** A line, what WhatsApp limits it to, and the rules of its company and of the installation; null: none was saved. */
export interface StoredLine extends LimitTimes {
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
  text: `select k.linked_at as "linkedAt", coalesce(d.started, 0) as "startedToday",${limitTimesSql("l")},
      s.min_gap_seconds as "minGapSeconds", s.hours, r.daily_cap as "dailyCap", coalesce(r.warm_up, true) as "warmUp",
      (select coalesce(json_agg(json_build_object('day', day, 'limit', start_limit)), '[]') from warm_up_plan) as plan
    from connections k
    left join line_limits l on l.connection_id = k.id
    left join line_days d on d.connection_id = k.id and d.day = $3::date
    left join sending_rules s on s.company_id = $1
    left join line_rules r on r.connection_id = k.id
    where k.company_id = $1 and k.id = $2`,
};

/**
 * Read it after the pace is locked, so that what was started before is counted. `day`: yyyy-MM-dd in the company's time zone.
 * Undefined where there is no such line.
 */
export async function findLine(ctx: Ctx, connectionId: number, day: string): Promise<StoredLine | undefined> {
  const [line] = await ctx.raw(LINE_RULES, [ctx.companyId, connectionId, day]);
  return line;
}
