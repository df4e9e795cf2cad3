import type { CampaignStatus, ConnectionStatus, PauseReason, RecipientState } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { writtenMessageSql } from "../campaigns.queries.ts";

/** A line of a campaign, locked, with all that its next message depends on. */
export interface CampaignLine {
  readonly campaignId: number;
  readonly connectionId: number;
  readonly connectionStatus: ConnectionStatus;
  readonly position: number;
  readonly nextAt: Date | null;
  readonly handed: number;
  readonly messaged: number;
  readonly pauseReason: PauseReason | null;
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
  /** What it wrote last; times in milliseconds. */
  readonly last: {
    readonly isQueued: boolean;
    readonly queuedAt: number;
    readonly sentAt: number | null;
  } | null;
}

const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

// The share of the campaign keeps who cancels it waiting until this step is committed: after the answer nobody is written to.
const LOCK_LINE: Statement<CampaignLine> = {
  name: "campaign_lock_line",
  text: `select l.campaign_id as "campaignId", l.connection_id as "connectionId", n.status as "connectionStatus", l.position,
      l.next_at as "nextAt", l.handed, l.messaged, l.pause_reason as "pauseReason", c.name, c.status, c.confirmation,
      c.messages, c.confirmation_messages as "confirmationMessages", c.file_list_id as "fileListId",
      case when c.media_path is not null then json_build_object('path', c.media_path, 'name', coalesce(c.media_name, ''),
        'type', coalesce(c.media_type, 'application/octet-stream'), 'size', coalesce(c.media_size, 0)) end as file,
      (select json_build_object('isQueued', coalesce(m.ack = 0, false), 'queuedAt', ${millis("r.queued_at")},
          'sentAt', ${millis("r.sent_at")})
        from campaign_recipients r left join messages m on m.id = ${writtenMessageSql("r")}
        where r.company_id = $1 and r.campaign_id = $2 and r.connection_id = $3 and r.queued_at is not null
        order by r.queued_at desc limit 1) as last
    from campaign_lines l
    join campaigns c on c.company_id = l.company_id and c.id = l.campaign_id
    join connections n on n.company_id = l.company_id and n.id = l.connection_id
    where l.company_id = $1 and l.campaign_id = $2 and l.connection_id = $3
    for no key update of l for share of c`,
};

/** Locks a line of a campaign, and the campaign against a change of its state. Undefined where one of them was deleted. */
export async function lockLine(ctx: Ctx, campaignId: number, connectionId: number): Promise<CampaignLine | undefined> {
  const [line] = await ctx.raw(LOCK_LINE, [ctx.companyId, campaignId, connectionId]);
  return line;
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

// Whoever has agreed comes first. Rows that another line has taken at this moment are skipped.
const TAKE_NEXT: Statement<NextRecipient> = {
  name: "campaign_take_next",
  text: `with agreed as materialized (
      select id from campaign_recipients where company_id = $1 and campaign_id = $2 and state = 'agreed'
      order by confirmed_at limit 1 for no key update skip locked),
    waiting as materialized (
      select id from campaign_recipients where company_id = $1 and campaign_id = $2 and state = 'waiting'
        and not exists (select from agreed)
      order by position limit 1 for no key update skip locked)
    select ${recipientColumns} from campaign_recipients r
    where r.id = (select id from agreed union all select id from waiting)`,
};

/** The next contact that is to be written to, locked until the transaction ends. */
export async function takeNextRecipient(ctx: Ctx, campaignId: number): Promise<NextRecipient | undefined> {
  const [recipient] = await ctx.raw(TAKE_NEXT, [ctx.companyId, campaignId]);
  return recipient;
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

const IS_KNOWN: Statement<{ known: boolean }> = {
  name: "campaign_has_contact",
  text: `select exists (select from campaign_recipients
    where company_id = $1 and campaign_id = $2 and contact_id = $3 and id <> $4) as known`,
};

/** Has the campaign this person already, under another spelling of the number? */
export async function isContactTaken(
  ctx: Ctx,
  campaignId: number,
  contactId: number,
  recipientId: number,
): Promise<boolean> {
  const [row] = await ctx.raw(IS_KNOWN, [ctx.companyId, campaignId, contactId, recipientId]);
  return row?.known === true;
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

const SET_CONTACT: Statement<never> = {
  name: "campaign_set_contact",
  text: `update campaign_recipients set contact_id = $3 where company_id = $1 and id = $2`,
};

/** Keeps whose number it is. A second one of the same person breaks the index campaign_recipients_person. */
export async function setContact(ctx: Ctx, id: number, contactId: number): Promise<void> {
  await ctx.raw(SET_CONTACT, [ctx.companyId, id, contactId]);
}

/** Where and by which message a contact was written to. */
export interface WrittenMessage {
  readonly recipientId: number;
  readonly contactId: number;
  readonly connectionId: number;
  readonly ticketId: number;
  readonly messageId: number;
  readonly variant: number | null;
}

const SAVE_ASKED: Statement<never> = {
  name: "campaign_save_asked",
  text: `update campaign_recipients set state = 'asked', contact_id = $3, connection_id = $4, ticket_id = $5,
      confirmation_message_id = $6, confirmation_requested_at = $7, queued_at = $7
    where company_id = $1 and id = $2`,
};

const SAVE_QUEUED: Statement<never> = {
  name: "campaign_save_queued",
  text: `update campaign_recipients set state = 'queued', contact_id = $3, connection_id = $4, ticket_id = $5,
      message_id = $6, queued_at = $7, variant = $8
    where company_id = $1 and id = $2`,
};

/** The request for confirmation is stored. */
export async function saveAsked(ctx: Ctx, written: WrittenMessage): Promise<void> {
  await ctx.raw(SAVE_ASKED, valuesOf(ctx, written));
}

/** The message is stored, in the same transaction: each contact gets it once. */
export async function saveQueued(ctx: Ctx, written: WrittenMessage): Promise<void> {
  await ctx.raw(SAVE_QUEUED, [...valuesOf(ctx, written), written.variant]);
}

function valuesOf(ctx: Ctx, { recipientId, contactId, connectionId, ticketId, messageId }: WrittenMessage): unknown[] {
  return [ctx.companyId, recipientId, contactId, connectionId, ticketId, messageId, ctx.now()];
}

const ADVANCE_LINE: Statement<never> = {
  name: "campaign_advance_line",
  text: `update campaign_lines set next_at = coalesce($4, next_at), handed = handed + $5, messaged = messaged + $6,
      pause_reason = null, paused_until = null
    where company_id = $1 and campaign_id = $2 and connection_id = $3`,
};

/** The line wrote to a contact; the next one is due at `nextAt` (null: as before). Lock it first. */
export async function advanceLine(
  ctx: Ctx,
  { campaignId, connectionId }: CampaignLine,
  { nextAt, handed, messaged }: { readonly nextAt: Date | null; readonly handed: 0 | 1; readonly messaged: 0 | 1 },
): Promise<void> {
  await ctx.raw(ADVANCE_LINE, [ctx.companyId, campaignId, connectionId, nextAt, handed, messaged]);
}

const PAUSE_LINE: Statement<never> = {
  name: "campaign_pause_line",
  text: `update campaign_lines set pause_reason = $4, paused_until = $5
    where company_id = $1 and campaign_id = $2 and connection_id = $3`,
};

/** Says why the line waits, and until when. Lock it first. */
export async function pauseLine(
  ctx: Ctx,
  { campaignId, connectionId }: CampaignLine,
  reason: PauseReason | null,
  until: Date | null,
): Promise<void> {
  await ctx.raw(PAUSE_LINE, [ctx.companyId, campaignId, connectionId, reason, until]);
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
