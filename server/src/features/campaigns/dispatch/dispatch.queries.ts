import type { CampaignStatus, ConnectionStatus, PauseReason, RecipientState } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { joinExistingLine, writtenMessageSql } from "../campaigns.queries.ts";

/** A line of a campaign, locked, with all that its next message depends on. */
export interface CampaignLine {
  readonly connectionId: number;
  readonly connectionStatus: ConnectionStatus;
  readonly position: number;
  readonly handed: number;
  readonly messaged: number;
  readonly pauseReason: PauseReason | null;
  /** What it wrote last; times in milliseconds. */
  readonly last: {
    readonly isQueued: boolean;
    readonly queuedAt: number;
    readonly sentAt: number | null;
  } | null;
}

/** A campaign, locked, with what it sends. */
export interface SendingCampaign {
  readonly id: number;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly confirmation: boolean;
  readonly messages: readonly string[];
  readonly confirmationMessages: readonly string[];
  readonly fileListId: number | null;
  readonly file: {
    readonly path: string;
    readonly name: string;
    readonly type: string;
    readonly size: number;
  } | null;
}

const campaignColumns = `c.id, c.name, c.status, c.confirmation, c.messages,
      c.confirmation_messages as "confirmationMessages", c.file_list_id as "fileListId",
      case when c.media_path is not null then json_build_object('path', c.media_path, 'name', coalesce(c.media_name, ''),
        'type', coalesce(c.media_type, 'application/octet-stream'), 'size', coalesce(c.media_size, 0)) end as file`;

const LOCK_CAMPAIGN: Statement<SendingCampaign> = {
  name: "campaign_lock_for_pass",
  text: `select ${campaignColumns} from campaigns c where c.company_id = $1 and c.id = $2 for no key update`,
};

const SHARE_CAMPAIGN: Statement<SendingCampaign> = {
  name: "campaign_share_for_answer",
  text: `select ${campaignColumns} from campaigns c where c.company_id = $1 and c.id = $2 for share`,
};

const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const selectLines = `select l.connection_id as "connectionId", n.status as "connectionStatus", l.position, l.handed, l.messaged,
      l.pause_reason as "pauseReason",
      case when r.queued_at is not null then json_build_object('isQueued', coalesce(m.ack = 0, false),
        'queuedAt', ${millis("r.queued_at")}, 'sentAt', ${millis("r.sent_at")}) end as last
    from campaign_lines l ${joinExistingLine}
    left join campaign_recipients r on r.company_id = $1 and r.id = l.last_recipient_id
    left join messages m on m.company_id = $1 and m.id = ${writtenMessageSql("r")}
    where l.company_id = $1 and l.campaign_id = $2`;

/** SQL: when a line is to be looked at; null before the start. */
const lookAt = "greatest(l.next_at, l.paused_until)";

const LOCK_DUE_LINES: Statement<CampaignLine> = {
  name: "campaign_lock_due_lines",
  text: `${selectLines} and ${lookAt} <= $3 order by ${lookAt}, l.position, l.connection_id limit $4 for no key update of l`,
};

const LOCK_LINE: Statement<CampaignLine> = {
  name: "campaign_lock_line",
  text: `${selectLines} and l.connection_id = $3 for no key update of l`,
};

/**
 * Locks a campaign, against a change of its state and against another pass, and those of its lines that are due, the longest
 * waiting first. After the answer to a cancellation nobody is written to.
 */
export async function lockDueLines(
  ctx: Ctx,
  campaignId: number,
  limit: number,
): Promise<{ readonly campaign: SendingCampaign | undefined; readonly lines: CampaignLine[] }> {
  // In one round trip: the second statement runs after the lock of the first, and sees what the pass before has written.
  const [[campaign], lines] = await Promise.all([
    ctx.raw(LOCK_CAMPAIGN, [ctx.companyId, campaignId]),
    ctx.raw(LOCK_DUE_LINES, [ctx.companyId, campaignId, ctx.now(), limit]),
  ]);
  return { campaign, lines };
}

/** One line of a campaign, locked, with the campaign, which nobody cancels meanwhile. Undefined where one of them was deleted. */
export async function lockLine(
  ctx: Ctx,
  campaignId: number,
  connectionId: number,
): Promise<{ readonly campaign: SendingCampaign; readonly line: CampaignLine } | undefined> {
  const [[campaign], [line]] = await Promise.all([
    ctx.raw(SHARE_CAMPAIGN, [ctx.companyId, campaignId]),
    ctx.raw(LOCK_LINE, [ctx.companyId, campaignId, connectionId]),
  ]);
  return campaign && line && { campaign, line };
}

const NEXT_LOOK: Statement<NextLook> = {
  name: "campaign_next_look",
  text: `select min(${lookAt}) as at, min(l.next_at) filter (where l.paused_until is null or l.paused_until <= $3) as "plannedAt"
    from campaign_lines l ${joinExistingLine} where l.company_id = $1 and l.campaign_id = $2 and (${lookAt} > $3 or $4)`,
};

/** When a campaign is to be looked at again; null: never. */
export interface NextLook {
  readonly at: Date | null;
  /** When the first line is due that nothing holds. */
  readonly plannedAt: Date | null;
}

/** With or without the lines that are due now. */
export async function findNextLook(ctx: Ctx, campaignId: number, withDue: boolean): Promise<NextLook> {
  const [look] = await ctx.raw(NEXT_LOOK, [ctx.companyId, campaignId, ctx.now(), withDue]);
  return look!;
}

const DRAW_NEAR: Statement<never> = {
  name: "campaign_draw_near",
  text: `update campaign_lines set next_at = $3 where company_id = $1 and campaign_id = $2 and next_at > $3`,
};

/** Lines that were planned for later than this are due then: the clock was set back. */
export async function drawLinesNear(ctx: Ctx, campaignId: number, to: Date): Promise<void> {
  await ctx.raw(DRAW_NEAR, [ctx.companyId, campaignId, to]);
}

/** A contact of a campaign that is to be written to, locked. */
export interface NextRecipient {
  readonly id: number;
  readonly state: RecipientState;
  readonly contactId: number | null;
  /** Null: the contact comes from a tag. */
  readonly contactListItemId: number | null;
  readonly name: string;
  readonly number: string;
  readonly email: string;
  readonly lid: string | null;
  readonly variant: number | null;
}

const recipientColumns = `r.id, r.state, r.contact_id as "contactId", r.contact_list_item_id as "contactListItemId", r.name,
  r.number, r.email, r.variant,
  (select i.lid from contact_list_items i where i.company_id = $1 and i.id = r.contact_list_item_id) as lid`;

/** A contact, and which of the lines must write to it: the one that asked, and whose chat has the contact's yes. Null: any. */
export interface TakenRecipient extends NextRecipient {
  readonly onlyBy: number | null;
}

// Whoever has agreed comes first: of each line the first of its own, then those whose line the campaign no longer has. Rows that
// another transaction has taken at this moment are skipped.
const TAKE_NEXT: Statement<TakenRecipient> = {
  name: "campaign_take_next",
  text: `with own as materialized (
      select a.id, l.id as line from unnest($3::int[]) as l(id) cross join lateral (
        select id from campaign_recipients where company_id = $1 and campaign_id = $2 and state = 'agreed' and connection_id = l.id
        order by confirmed_at limit 1 for no key update skip locked) a),
    lineless as materialized (
      select r.id from campaign_recipients r where r.company_id = $1 and r.campaign_id = $2 and r.state = 'agreed'
        and (r.connection_id is null or not exists (
          select from campaign_lines l ${joinExistingLine}
          where l.company_id = $1 and l.campaign_id = $2 and l.connection_id = r.connection_id))
      order by r.confirmed_at limit greatest(0, cardinality($3::int[]) - (select count(*) from own))
      for no key update of r skip locked),
    waiting as materialized (
      select id from campaign_recipients where company_id = $1 and campaign_id = $2 and state = 'waiting'
      order by position limit greatest(0, cardinality($3::int[]) - (select count(*) from own) - (select count(*) from lineless))
      for no key update skip locked)
    select ${recipientColumns}, (select line from own where own.id = r.id) as "onlyBy" from campaign_recipients r
    where r.company_id = $1
      and r.id = any(array(select id from own union all select id from lineless union all select id from waiting))
    order by r.state <> 'agreed', r.confirmed_at, r.position`,
};

/** The next contacts that these lines are to write to, at most one for each, locked until the transaction ends. */
export async function takeNextRecipients(
  ctx: Ctx,
  campaignId: number,
  connectionIds: readonly number[],
): Promise<TakenRecipient[]> {
  return ctx.raw(TAKE_NEXT, [ctx.companyId, campaignId, connectionIds]);
}

const TAKE_AGREED: Statement<NextRecipient> = {
  name: "campaign_take_agreed",
  text: `select ${recipientColumns} from campaign_recipients r
    where r.company_id = $1 and r.id = $2 and r.state = 'agreed' for no key update`,
};

/** A contact that has agreed, locked; undefined where it got its message meanwhile. */
export async function takeAgreedRecipient(ctx: Ctx, id: number): Promise<NextRecipient | undefined> {
  const [recipient] = await ctx.raw(TAKE_AGREED, [ctx.companyId, id]);
  return recipient;
}

const PLACE_OF: Statement<{ campaignId: number; connectionId: number | null }> = {
  name: "campaign_place_of_recipient",
  text: `select campaign_id as "campaignId", connection_id as "connectionId" from campaign_recipients
    where company_id = $1 and id = $2`,
};

/** The campaign of a contact, and the line that wrote to it first. */
export async function findPlaceOf(ctx: Ctx, recipientId: number) {
  const [place] = await ctx.raw(PLACE_OF, [ctx.companyId, recipientId]);
  return place;
}

const RECIPIENTS_OF: Statement<{ id: number; contactId: number }> = {
  name: "campaign_recipients_of_contacts",
  text: `select id, contact_id as "contactId" from campaign_recipients
    where company_id = $1 and campaign_id = $2 and contact_id = any($3::int[])`,
};

/** Which contact of a campaign is which person, by the person: the campaign may have one under another spelling of the number. */
export async function findRecipientsOf(
  ctx: Ctx,
  campaignId: number,
  contactIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = contactIds.length === 0 ? [] : await ctx.raw(RECIPIENTS_OF, [ctx.companyId, campaignId, contactIds]);
  return new Map(rows.map(({ id, contactId }) => [contactId, id]));
}

const END: Statement<never> = {
  name: "campaign_end_recipient",
  text: `update campaign_recipients set state = $3, reason = $4
    where company_id = $1 and id = $2 and state in ('waiting', 'agreed')`,
};

/** A final result without the message, of a contact that has none yet. */
export async function endRecipient(
  ctx: Ctx,
  id: number,
  state: RecipientState,
  reason: string | null = null,
): Promise<void> {
  await ctx.raw(END, [ctx.companyId, id, state, reason]);
}

/** What is kept of a contact of a campaign. */
export interface RecipientChange {
  readonly id: number;
  /** Undefined: as it is. */
  readonly state?: RecipientState;
  readonly reason?: string | null;
  /** Whose number it is. A second one of the same person breaks the index campaign_recipients_person. */
  readonly contactId?: number;
  /** Where and by which message it was written to. */
  readonly written?: {
    readonly connectionId: number;
    readonly ticketId: number;
    /** The request for confirmation, or the message. */
    readonly messageId: number;
    readonly isRequest: boolean;
    readonly variant: number | null;
  };
}

const SAVE_RECIPIENTS: Statement<never> = {
  name: "campaign_save_recipients",
  text: `update campaign_recipients r set
      state = coalesce(v.state, r.state),
      reason = case when v.state is null or v.written_by is not null then r.reason else v.reason end,
      contact_id = coalesce(v.contact_id, r.contact_id),
      connection_id = coalesce(v.connection_id, r.connection_id),
      ticket_id = coalesce(v.ticket_id, r.ticket_id),
      confirmation_message_id = case when v.is_request then v.written_by else r.confirmation_message_id end,
      message_id = case when v.is_request is false then v.written_by else r.message_id end,
      variant = case when v.is_request is false then v.variant else r.variant end,
      queued_at = case when v.written_by is null then r.queued_at else $3 end
    from jsonb_to_recordset($2::jsonb) as v(id bigint, state text, reason text, contact_id int, connection_id int, ticket_id int,
      written_by bigint, is_request boolean, variant smallint)
    where r.company_id = $1 and r.id = v.id`,
};

/** Saves results in the transaction of their messages: each contact gets it once. */
export async function saveRecipients(ctx: Ctx, changes: readonly RecipientChange[]): Promise<void> {
  if (changes.length === 0) {
    return;
  }
  const rows = changes.map(({ id, state, reason, contactId, written }) => ({
    id,
    state,
    reason,
    contact_id: contactId,
    connection_id: written?.connectionId,
    ticket_id: written?.ticketId,
    written_by: written?.messageId,
    is_request: written?.isRequest,
    variant: written?.variant,
  }));
  await ctx.raw(SAVE_RECIPIENTS, [ctx.companyId, JSON.stringify(rows), ctx.now()]);
}

/** What becomes of a locked line. */
export interface LineChange {
  readonly connectionId: number;
  /** When its next contact is due; null: as before. */
  readonly nextAt: Date | null;
  /** Why it waits, and until when; "same": as before. */
  readonly pause: { readonly reason: PauseReason; readonly until: Date } | "same" | null;
  readonly handed: 0 | 1;
  readonly messaged: 0 | 1;
  /** Whom it wrote to; null: nobody. */
  readonly recipientId: number | null;
}

const SAVE_LINES: Statement<never> = {
  name: "campaign_save_lines",
  text: `update campaign_lines l set next_at = coalesce(v.next_at, l.next_at), handed = l.handed + v.handed,
      messaged = l.messaged + v.messaged,
      pause_reason = case when v.keeps_pause then l.pause_reason else v.pause_reason end,
      paused_until = case when v.keeps_pause then l.paused_until else v.paused_until end,
      last_recipient_id = coalesce(v.recipient_id, l.last_recipient_id)
    from jsonb_to_recordset($3::jsonb) as v(connection_id int, next_at timestamptz, keeps_pause boolean, pause_reason text,
      paused_until timestamptz, handed int, messaged int, recipient_id bigint)
    where l.company_id = $1 and l.campaign_id = $2 and l.connection_id = v.connection_id`,
};

/** Saves lines. Lock them first. */
export async function saveLines(ctx: Ctx, campaignId: number, changes: readonly LineChange[]): Promise<void> {
  if (changes.length === 0) {
    return;
  }
  const rows = changes.map(({ connectionId, nextAt, pause, handed, messaged, recipientId }) => ({
    connection_id: connectionId,
    next_at: nextAt,
    keeps_pause: pause === "same",
    ...(pause !== null && pause !== "same" && { pause_reason: pause.reason, paused_until: pause.until }),
    handed,
    messaged,
    recipient_id: recipientId,
  }));
  await ctx.raw(SAVE_LINES, [ctx.companyId, campaignId, JSON.stringify(rows)]);
}

const WAKE: Statement<{ campaignId: number }> = {
  name: "campaign_wake_lines",
  text: `update campaign_lines l set paused_until = $3 from campaigns c
    where l.company_id = $1 and l.connection_id = $2 and l.pause_reason in ('disconnected', 'limited', 'capped')
      and c.company_id = $1 and c.id = l.campaign_id and c.status = 'EM_ANDAMENTO'
    returning l.campaign_id as "campaignId"`,
};

/** Ends the pauses of a connection's campaigns that its state was the reason for. Returns these campaigns. */
export async function wakeLines(ctx: Ctx, connectionId: number): Promise<number[]> {
  return (await ctx.raw(WAKE, [ctx.companyId, connectionId, ctx.now()])).map(({ campaignId }) => campaignId);
}

const WAKE_BY_RULES: Statement<{ campaignId: number }> = {
  name: "campaign_wake_lines_of_rules",
  text: `update campaign_lines l set paused_until = $2 from campaigns c
    where l.company_id = $1 and l.pause_reason in ('hours', 'dailyCap', 'warmUp') and l.paused_until > $2
      and c.company_id = $1 and c.id = l.campaign_id and c.status = 'EM_ANDAMENTO'
    returning l.campaign_id as "campaignId"`,
};

/** Ends the pauses that the company's own rules were the reason for. Returns the campaign of each. */
export async function wakeLinesHeldByRules(ctx: Ctx): Promise<number[]> {
  return (await ctx.raw(WAKE_BY_RULES, [ctx.companyId, ctx.now()])).map(({ campaignId }) => campaignId);
}
