import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { joinExistingLine } from "../campaigns.queries.ts";

// Of contacts that exist already an opt-out word counts before the campaign has written to them. Of two numbers that lead to one, because
// they were merged, one gets the contact, and the other is found to be a duplicate when it is to be written to. Keys of numbers are
// computed apart, because under row-level security a function that is not leakproof never reaches an index, and contacts looked up for
// each item: joined, without statistics of the items, all contacts could be read.
const COPY_LIST: Statement<never> = {
  name: "campaign_copy_list",
  text: `insert into campaign_recipients
      (company_id, campaign_id, position, contact_list_item_id, contact_id, name, number, match_number, email, state)
    with item as materialized (
      select id, name, number, match_number, email, phone_key(number) as number_key,
        case is_whatsapp_valid when true then 'waiting' when false then 'invalid' else 'unchecked' end as state
      from contact_list_items where company_id = $1 and contact_list_id = $3),
    known as materialized (
      select i.*,
        (select c.id from contacts c where c.company_id = $1 and c.number_key = i.number_key and not c.is_group) as own_id,
        (select m.contact_id from contact_aliases m where m.company_id = $1 and m.number_key = i.number_key) as merged_id
      from item i),
    person as (
      select *, coalesce(own_id, merged_id) as contact_id, row_number() over (partition by coalesce(own_id, merged_id)
        order by array_position(array['waiting', 'unchecked', 'invalid'], state), own_id is null, id) as nth
      from known)
    select $1, $2, row_number() over (order by id), id, case when nth = 1 then contact_id end, name, number, match_number, email, state
    from person
    on conflict do nothing`,
};

/** Copies the items of a contact list, with the contacts that have these numbers, or had them before a merge; a list has a number once. */
export async function copyListItems(ctx: Ctx, campaignId: number, contactListId: number): Promise<void> {
  await ctx.raw(COPY_LIST, [ctx.companyId, campaignId, contactListId]);
}

const COPY_TAG: Statement<never> = {
  name: "campaign_copy_tag",
  text: `insert into campaign_recipients
      (company_id, campaign_id, position, contact_id, name, number, match_number, email, state)
    select $1, $2, row_number() over (order by c.id), c.id, c.name, coalesce(c.number, ''),
      coalesce(c.number_key, 'contact ' || c.id), c.email, 'waiting'
    from contacts c
    where c.company_id = $1 and not c.is_group and not c.is_blocked and c.id in (
      select t.contact_id from ticket_tags x join tickets t on t.id = x.ticket_id
      where x.company_id = $1 and x.tag_id = $3)
    on conflict do nothing`,
};

/** Copies the contacts whose conversations have a tag, without groups and blocked ones. */
export async function copyTaggedContacts(ctx: Ctx, campaignId: number, tagId: number): Promise<void> {
  await ctx.raw(COPY_TAG, [ctx.companyId, campaignId, tagId]);
}

const OPEN_LINES: Statement<never> = {
  name: "campaign_open_lines",
  text: `update campaign_lines set next_at = greatest(next_at, $3), pause_reason = null, paused_until = null
    where company_id = $1 and campaign_id = $2`,
};

/** Makes the lines of a campaign due, none earlier than it is by its pace. */
export async function openLines(ctx: Ctx, campaignId: number): Promise<void> {
  await ctx.raw(OPEN_LINES, [ctx.companyId, campaignId, ctx.now()]);
}

const AWAIT_IMPORT: Statement<{ id: number }> = {
  name: "campaign_await_import",
  text: `update campaign_lines set pause_reason = 'import', paused_until = $3
    where company_id = $1 and campaign_id = $2 and (pause_reason, paused_until) is distinct from ('import', $3::timestamptz)
    returning connection_id as id`,
};

/** Notes that a campaign waits for an import of its list, until then at most. Returns whether that was not noted before. */
export async function awaitImport(ctx: Ctx, campaignId: number, until: Date): Promise<boolean> {
  return (await ctx.raw(AWAIT_IMPORT, [ctx.companyId, campaignId, until])).length > 0;
}

// One look into the index for each state: as a join it would read every contact of the campaign.
const HAS_STATE: Statement<{ found: boolean }> = {
  name: "campaign_has_state",
  text: `select exists (select from unnest($3::text[]) s(state) where (
    select r.id from campaign_recipients r where r.company_id = $1 and r.campaign_id = $2 and r.state = s.state
    limit 1) is not null) as found`,
};

/** Is any of its contacts in one of these states? */
export async function hasRecipientIn(ctx: Ctx, campaignId: number, states: readonly string[]): Promise<boolean> {
  const [row] = await ctx.raw(HAS_STATE, [ctx.companyId, campaignId, states]);
  return row?.found === true;
}

// A number that was corrected in the list meanwhile is another person: whom the campaign has already is a duplicate.
const TAKE_CHECKED: Statement<{ id: number }> = {
  name: "campaign_take_checked",
  text: `with checked as (
      select r.id, i.number, i.match_number, i.name, i.email, i.is_whatsapp_valid, i.match_number <> r.match_number as is_other,
        i.match_number <> r.match_number and exists (select from campaign_recipients twin
          where twin.company_id = $1 and twin.campaign_id = $2 and twin.match_number = i.match_number) as is_twin
      from campaign_recipients r join contact_list_items i on i.company_id = $1 and i.id = r.contact_list_item_id
      where r.company_id = $1 and r.campaign_id = $2 and r.state = 'unchecked' and i.is_whatsapp_valid is not null)
    update campaign_recipients r set number = c.number,
      match_number = case when c.is_twin then r.match_number else c.match_number end,
      contact_id = case when c.is_other then null else r.contact_id end,
      name = case when c.is_other then c.name else r.name end,
      email = case when c.is_other then c.email else r.email end,
      state = case when c.is_twin then 'duplicate' when c.is_whatsapp_valid then 'waiting' else 'invalid' end
    from checked c where r.company_id = $1 and r.id = c.id
    returning r.id`,
};

const DROP_UNCHECKABLE: Statement<{ id: number }> = {
  name: "campaign_drop_uncheckable",
  text: `update campaign_recipients r set state = 'invalid', reason = 'ERR_NOT_FOUND'
    where r.company_id = $1 and r.campaign_id = $2 and r.state = 'unchecked'
      and not exists (select from contact_list_items i where i.company_id = $1 and i.id = r.contact_list_item_id)
    returning r.id`,
};

/**
 * Takes over which unchecked numbers were found on WhatsApp, or not, as it spells them; one that was corrected in the list meanwhile
 * with its name. Those whose item was deleted meanwhile are invalid: nobody will check them. Returns whether any moved on.
 */
export async function takeCheckedNumbers(ctx: Ctx, campaignId: number): Promise<boolean> {
  const ids = [ctx.companyId, campaignId];
  const moved = [...(await ctx.raw(TAKE_CHECKED, ids)), ...(await ctx.raw(DROP_UNCHECKABLE, ids))];
  return moved.length > 0;
}

const END_QUESTIONS: Statement<{ id: number }> = {
  name: "campaign_end_questions",
  text: `update campaign_recipients r set state = 'unanswered'
    where company_id = $1 and campaign_id = $2 and state = 'asked' and coalesce(confirmation_requested_at, queued_at) <= $3
      and not exists (select from messages m where m.company_id = $1 and m.id = r.confirmation_message_id and m.ack = 0)
    returning id`,
};

/**
 * Ends the requests for confirmation that were sent until then, and not those that wait for their line: nobody can answer them yet.
 * Returns whether there were any.
 */
export async function endQuestions(ctx: Ctx, campaignId: number, until: Date): Promise<boolean> {
  return (await ctx.raw(END_QUESTIONS, [ctx.companyId, campaignId, until])).length > 0;
}

const FAIL_LOST: Statement<{ id: number }> = {
  name: "campaign_fail_lost",
  text: `update campaign_recipients set state = 'failed', reason = 'ERR_NO_MESSAGE_FOUND'
    where company_id = $1 and campaign_id = $2
      and (state = 'asked' and confirmation_message_id is null or state = 'queued' and (message_id is null
        or exists (select from messages m where m.company_id = $1 and m.id = message_id and m.is_deleted and m.ack = 0)))
    returning id`,
};

/**
 * Those whose message was deleted before WhatsApp had it, by itself or with its conversation: nothing will tell what became of it.
 * If it was handed over and its acknowledgement comes late, that counts.
 */
export async function failLostMessages(ctx: Ctx, campaignId: number): Promise<boolean> {
  return (await ctx.raw(FAIL_LOST, [ctx.companyId, campaignId])).length > 0;
}

const LIST_OF_RUNNING: Statement<{ listId: number | null }> = {
  name: "campaign_list_of_running",
  text: `select contact_list_id as "listId" from campaigns where company_id = $1 and id = $2 and status = 'EM_ANDAMENTO'`,
};

/** The contact list of a campaign that is being sent; undefined if it has none. */
export async function findListOfRunning(ctx: Ctx, campaignId: number): Promise<number | undefined> {
  const [row] = await ctx.raw(LIST_OF_RUNNING, [ctx.companyId, campaignId]);
  return row?.listId ?? undefined;
}

const HAS_DUE_LINE: Statement<{ found: boolean }> = {
  name: "campaign_has_due_line",
  text: `select exists (select from campaign_lines l ${joinExistingLine}
    where l.company_id = $1 and l.campaign_id = $2 and l.next_at <= $3
      and (l.paused_until is null or l.paused_until <= $3)) as found`,
};

/** Should a line have written to its next contact by now? */
export async function hasDueLine(ctx: Ctx, campaignId: number): Promise<boolean> {
  const [row] = await ctx.raw(HAS_DUE_LINE, [ctx.companyId, campaignId, ctx.now()]);
  return row?.found === true;
}

const RUNNING_OF_LIST: Statement<{ id: number }> = {
  name: "campaigns_running_of_list",
  text: `select id from campaigns where company_id = $1 and contact_list_id = $2 and status = 'EM_ANDAMENTO'`,
};

/** The campaigns that are being sent to a contact list. */
export async function findRunningOfList(ctx: Ctx, contactListId: number): Promise<number[]> {
  return (await ctx.raw(RUNNING_OF_LIST, [ctx.companyId, contactListId])).map(({ id }) => id);
}
