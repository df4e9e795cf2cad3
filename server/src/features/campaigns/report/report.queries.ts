import { pageSize } from "@prosa/contract";
import type { RecipientState } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { writtenMessageSql } from "../campaigns.queries.ts";

/** A contact of a campaign with what became of it. */
export interface RecipientRow {
  readonly id: number;
  readonly position: number;
  readonly name: string;
  readonly number: string;
  readonly email: string;
  readonly state: RecipientState;
  readonly reason: string | null;
  readonly variant: number | null;
  readonly contactId: number | null;
  readonly ticketUuid: string | null;
  readonly confirmationRequestedAt: Date | null;
  readonly confirmedAt: Date | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
  readonly answeredAt: Date | null;
}

const columns = `r.id, r.position, r.name, r.number, r.email, r.state, r.reason, r.variant, r.contact_id as "contactId",
  r.confirmation_requested_at as "confirmationRequestedAt", r.confirmed_at as "confirmedAt", r.sent_at as "sentAt",
  r.delivered_at as "deliveredAt", r.read_at as "readAt", r.answered_at as "answeredAt"`;

const recipients = (condition: string, orderAndLimit: string) => `
  select ${columns}, t.uuid as "ticketUuid" from (
    select * from campaign_recipients where company_id = $1 and campaign_id = $2 and ${condition} ${orderAndLimit}) r
  left join messages m on m.id = ${writtenMessageSql("r")}
  left join tickets t on t.id = m.ticket_id`;

// By offset, not as a range of positions: whoever was erased leaves a gap.
const PAGE_OF_ALL: Statement<RecipientRow> = {
  name: "campaign_recipients_page",
  text: `${recipients("true", "order by position offset $3::int limit $4::int")} order by r.position`,
};

const PAGE_OF_STATE: Statement<RecipientRow> = {
  name: "campaign_recipients_page_of_state",
  text: `${recipients("state = $5", "order by position offset $3::int limit $4::int")} order by r.position`,
};

const matches = `($5 = '' or state = $5) and search_text like (select '%' || regexp_replace(folded($6), '([%_\\\\])', '\\\\\\1', 'g') || '%')`;

const PAGE_OF_MATCHES: Statement<RecipientRow> = {
  name: "campaign_recipients_search",
  text: `${recipients(matches, "order by position offset $3::int limit $4::int")} order by r.position`,
};

const COUNT_MATCHES: Statement<{ count: number }> = {
  name: "campaign_recipients_count_matches",
  text: `select count(*)::int as count from campaign_recipients
    where company_id = $1 and campaign_id = $2 and ($3 = '' or state = $3)
      and search_text like (select '%' || regexp_replace(folded($4), '([%_\\\\])', '\\\\\\1', 'g') || '%')`,
};

const COUNT_KEPT: Statement<{ count: number }> = {
  name: "campaign_recipients_count_kept",
  text: `select coalesce(sum(n), 0)::int as count from campaign_counts
    where company_id = $1 and campaign_id = $2
      and counted = any(case when $3 = '' then $4::text[] else array[$3] end)`,
};

export interface RecipientFilter {
  readonly searchParam: string;
  readonly pageNumber: number;
  readonly state: RecipientState | "";
}

/** One page in the order of the list, and how many match in all. Only a search reads more than the page. */
export async function findRecipientPage(
  ctx: Ctx,
  campaignId: number,
  { searchParam, pageNumber, state }: RecipientFilter,
  states: readonly RecipientState[],
): Promise<{ readonly rows: RecipientRow[]; readonly count: number }> {
  const ids = [ctx.companyId, campaignId];
  const page = [...ids, (pageNumber - 1) * pageSize.others, pageSize.others];
  if (searchParam !== "") {
    const [rows, [found]] = await Promise.all([
      ctx.raw(PAGE_OF_MATCHES, [...page, state, searchParam]),
      ctx.raw(COUNT_MATCHES, [...ids, state, searchParam]),
    ]);
    return { rows, count: found?.count ?? 0 };
  }
  const [rows, [kept]] = await Promise.all([
    state === "" ? ctx.raw(PAGE_OF_ALL, page) : ctx.raw(PAGE_OF_STATE, [...page, state]),
    ctx.raw(COUNT_KEPT, [...ids, state, states]),
  ]);
  return { rows, count: kept?.count ?? 0 };
}

const LATEST: Statement<RecipientRow> = {
  name: "campaign_recipients_latest",
  text: `${recipients("queued_at is not null", "order by queued_at desc, id desc limit $3::int")}
    order by r.queued_at desc, r.id desc`,
};

/** Those who were written to last. */
export async function findLatestRecipients(ctx: Ctx, campaignId: number, limit: number): Promise<RecipientRow[]> {
  return ctx.raw(LATEST, [ctx.companyId, campaignId, limit]);
}

const EXPORT: Statement<RecipientRow> = {
  name: "campaign_recipients_export",
  text: `${recipients("position > $3::int", "order by position limit $4::int")} order by r.position`,
};

/** The next ones in the order of the list. Keyset pagination: the last page costs the same as the first. */
export async function findRecipientsAfter(
  ctx: Ctx,
  campaignId: number,
  position: number,
  limit: number,
): Promise<RecipientRow[]> {
  return ctx.raw(EXPORT, [ctx.companyId, campaignId, position, limit]);
}

const SPAN: Statement<{ startedAt: Date | null; endedAt: Date | null }> = {
  name: "campaign_timeline_span",
  text: `select c.started_at as "startedAt",
      (select max(greatest(r.sent_at, r.delivered_at, r.read_at, r.answered_at)) from campaign_recipients r
        where r.company_id = $1 and r.campaign_id = c.id) as "endedAt"
    from campaigns c where c.company_id = $1 and c.id = $2`,
};

/** When the campaign started, and when something happened last. Undefined: there is no such campaign. */
export async function findTimelineSpan(ctx: Ctx, campaignId: number) {
  const [span] = await ctx.raw(SPAN, [ctx.companyId, campaignId]);
  return span;
}

/** What happened in one step of the timeline. */
export interface TimelineStep {
  /** From 0, at the start. */
  readonly step: number;
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly answered: number;
}

// Contacts with the same steps are counted together in one scan; what is taken apart and summed are the few rows of that.
const TIMELINE: Statement<TimelineStep> = {
  name: "campaign_timeline",
  text: `select round(extract(epoch from bin - $3::timestamptz) / $4::int)::int as step,
      coalesce(sum(n) filter (where what = 1), 0)::int as sent,
      coalesce(sum(n) filter (where what = 2), 0)::int as delivered,
      coalesce(sum(n) filter (where what = 3), 0)::int as read,
      coalesce(sum(n) filter (where what = 4), 0)::int as answered
    from (
      select date_bin($4::int * interval '1 s', sent_at, $3) as sent, date_bin($4::int * interval '1 s', delivered_at, $3) as delivered,
        date_bin($4::int * interval '1 s', read_at, $3) as read, date_bin($4::int * interval '1 s', answered_at, $3) as answered, count(*) as n
      from campaign_recipients where company_id = $1 and campaign_id = $2 group by 1, 2, 3, 4) alike
    cross join lateral (values (1, sent), (2, delivered), (3, read), (4, answered)) as happened(what, bin)
    where bin is not null
    group by bin order by bin`,
};

/** What happened in steps of so many seconds from the start; steps without anything are absent. */
export async function findTimeline(
  ctx: Ctx,
  campaignId: number,
  startedAt: Date,
  stepSeconds: number,
): Promise<TimelineStep[]> {
  return ctx.raw(TIMELINE, [ctx.companyId, campaignId, startedAt, stepSeconds]);
}
