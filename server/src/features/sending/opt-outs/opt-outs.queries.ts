import { sendingConstants } from "@prosa/contract";
import type { OptOut, OptOutSource } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { bulkSql } from "../starts.ts";
import { isOptedOutSql } from "./active.queries.ts";
import type { WordContext } from "./decide-word.ts";

export interface NewOptOut {
  readonly contactId: number;
  readonly source: OptOutSource;
  readonly word: string | null;
  readonly messageId: number | null;
  readonly ticketId: number | null;
  readonly userId: number | null;
  readonly note: string;
  readonly at: Date;
}

const INSERT: Statement<{ id: number }> = {
  name: "opt_out_insert",
  text: `insert into opt_outs (company_id, contact_id, number_key, source, word, message_id, ticket_id, user_id, note, at)
    select c.company_id, c.id, c.number_key, $3, $4, $5, $6, $7, $8, $9 from contacts c
    where c.company_id = $1 and c.id = $2 and not c.is_group and not ${isOptedOutSql("c")}
    on conflict (contact_id) where taken_back_at is null and superseded_at is null and contact_id is not null do nothing
    returning id`,
};

/** False where the contact has opted out already, or is none that could. */
export async function insertOptOut(ctx: Ctx, optOut: NewOptOut): Promise<boolean> {
  const { contactId, source, word, messageId, ticketId, userId, note, at } = optOut;
  const rows = await ctx.raw(INSERT, [
    ...[ctx.companyId, contactId, source, word, messageId, ticketId, userId, note, at],
  ]);
  return rows.length > 0;
}

const TAKE_BACK: Statement<{ id: number }> = {
  name: "opt_out_take_back",
  text: `update opt_outs o set taken_back_at = $3, taken_back_by = $4 from contacts c
    where c.company_id = $1 and c.id = $2 and o.company_id = $1 and o.taken_back_at is null and o.superseded_at is null
      and (o.contact_id = c.id or o.contact_id is null and o.number_key = c.number_key)
    returning o.id`,
};

/** `userId`: who does; null: the contact. False where there is none. */
export async function saveTakenBack(ctx: Ctx, contactId: number, userId: number | null): Promise<boolean> {
  return (await ctx.raw(TAKE_BACK, [ctx.companyId, contactId, ctx.now(), userId])).length > 0;
}

type OptOutRow = Omit<OptOut, "at" | "takenBackAt"> & {
  readonly at: Date;
  readonly takenBackAt: Date | null;
  readonly isActive: boolean;
};

const personJson = (id: string) =>
  `(select json_build_object('id', u.id, 'name', u.name) from users u where u.company_id = $1 and u.id = ${id})`;

const HISTORY: Statement<OptOutRow> = {
  name: "opt_outs_of_contact",
  text: `select o.id, c.id as "contactId", o.at, o.source, o.word, o.message_id as "messageId", t.uuid as "ticketUuid",
      ${personJson("o.user_id")} as user, o.note, o.taken_back_at as "takenBackAt",
      ${personJson("o.taken_back_by")} as "takenBackBy",
      o.taken_back_at is null and o.superseded_at is null as "isActive"
    from contacts c
    join opt_outs o on o.company_id = $1 and (o.contact_id = c.id
      or o.contact_id is null and o.number_key = c.number_key and o.taken_back_at is null and o.superseded_at is null)
    left join tickets t on t.company_id = $1 and t.id = o.ticket_id
    where c.company_id = $1 and c.id = $2
    order by o.id desc limit 50`,
};

/** The newest first. */
export async function findOptOuts(ctx: Ctx, contactId: number): Promise<OptOutRow[]> {
  return ctx.raw(HISTORY, [ctx.companyId, contactId]);
}

const FIND_CONTACT: Statement<{ isGroup: boolean }> = {
  name: "opt_out_contact",
  text: `select is_group as "isGroup" from contacts where company_id = $1 and id = $2`,
};

export async function findContactKind(ctx: Ctx, contactId: number): Promise<{ isGroup: boolean } | undefined> {
  const [contact] = await ctx.raw(FIND_CONTACT, [ctx.companyId, contactId]);
  return contact;
}

const CONTEXTS: Statement<Omit<WordContext, "meaningToBot" | "isOpen"> & { readonly ticketId: number }> = {
  name: "opt_out_contexts",
  text: `select t.id as "ticketId", last.said as "lastSaid", ${isOptedOutSql("c")} as "isOptedOut",
      exists (select from tickets other join messages m on m.ticket_id = other.id
        where other.company_id = $1 and other.contact_id = c.id and m.from_me and m.sent_at > $3 and m.ack >= 0 and ${bulkSql("m")})
      or exists (select from campaign_recipients r join campaigns k on k.id = r.campaign_id
        where r.company_id = $1 and r.contact_id = c.id and r.state in ('waiting', 'asked', 'agreed', 'queued')
          and k.status in ('PROGRAMADA', 'EM_ANDAMENTO'))
      or exists (select from campaigns k join campaign_recipients r
          on r.campaign_id = k.id and r.match_number = match_number(c.number_key) and r.contact_id is null
        where k.company_id = $1 and k.status = 'EM_ANDAMENTO' and r.state in ('unchecked', 'waiting')) as "hadBulk"
    from tickets t join contacts c on c.company_id = $1 and c.id = t.contact_id
    left join lateral (
      select case when m.client_id like 'opt-out-%' then 'answer' when ${bulkSql("m")} then 'bulk'
        when m.is_automatic then 'automatic' else 'person' end as said
      from messages m where m.ticket_id = t.id and m.from_me and m.ack >= 0
      order by m.sent_at desc, m.id desc limit 1) last on true
    where t.company_id = $1 and t.id = any($2::int[])`,
};

/** What stood before the words that were said on these tickets, by ticket. */
export async function findWordContexts(
  ctx: Ctx,
  ticketIds: readonly number[],
): Promise<ReadonlyMap<number, Omit<WordContext, "meaningToBot" | "isOpen">>> {
  const since = new Date(ctx.now().getTime() - sendingConstants.optOutAfterBulkDays * 86_400_000);
  const rows = await ctx.raw(CONTEXTS, [ctx.companyId, ticketIds, since]);
  return new Map(rows.map(({ ticketId, ...context }) => [ticketId, context]));
}
