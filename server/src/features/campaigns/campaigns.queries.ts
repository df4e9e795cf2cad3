import { pageSize } from "@prosa/contract";
import type { CampaignStatus, WaitReason } from "@prosa/contract";
import { sql } from "kysely";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import { isoText } from "#server/features/tickets/index.ts";
import type {} from "./campaigns.tables.ts";

interface Named {
  readonly id: number;
  readonly name: string;
}

interface LineOfCampaign extends Named {
  readonly pauseReason: WaitReason | null;
  readonly pausedUntil: string | null;
  readonly nextAt: string | null;
}

/**
 * SQL: the id of the message, or else of the request for confirmation, of contact `r` of a campaign. Not coalesce: PostgreSQL takes
 * it for leaky, so that under row-level security it would be compared with every message of the company (decision 0197).
 */
export const writtenMessageSql = (r: string) =>
  `case when ${r}.message_id is null then ${r}.confirmation_message_id else ${r}.message_id end`;

/**
 * SQL: joins the connection `n` of a campaign's line `l`. Without it a line counts that is deleted and whose rows a job still erases
 * (decision 0295).
 */
export const joinExistingLine = "join connections n on n.company_id = l.company_id and n.id = l.connection_id";

/** A campaign with what its view names, and its kept counts by what they count. */
export interface CampaignRow {
  readonly id: number;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly confirmation: boolean;
  readonly messages: readonly string[];
  readonly confirmationMessages: readonly string[];
  readonly scheduledAt: Date | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly createdAt: Date;
  readonly media_path: string | null;
  readonly media_name: string | null;
  readonly media_type: string | null;
  readonly lines: readonly LineOfCampaign[];
  readonly contactList: (Named & { readonly contactsCount: number; readonly validCount: number }) | null;
  readonly tag: Named | null;
  readonly fileList: Named | null;
  readonly counts: Readonly<Record<string, number>> | null;
}

const lines = sql<readonly LineOfCampaign[]>`(
  select coalesce(json_agg(json_build_object('id', l.connection_id, 'name', n.name, 'pauseReason', l.pause_reason,
    'pausedUntil', ${sql.raw(isoText("l.paused_until"))}, 'nextAt', ${sql.raw(isoText("l.next_at"))})
    order by l.position, l.connection_id), '[]')
  from campaign_lines l ${sql.raw(joinExistingLine)}
  where l.company_id = c.company_id and l.campaign_id = c.id)`;

const contactList = sql<CampaignRow["contactList"]>`(
  select json_build_object('id', k.id, 'name', k.name,
    'contactsCount', k.contacts_count,
    'validCount', k.valid_count)
  from contact_lists k where k.company_id = c.company_id and k.id = c.contact_list_id)`;

const named = (table: "tags" | "file_lists", column: "tag_id" | "file_list_id") => sql<Named | null>`(
  select json_build_object('id', x.id, 'name', x.name) from ${sql.table(table)} x
  where x.company_id = c.company_id and x.id = ${sql.ref(`c.${column}`)})`;

/** Triggers keep them: `campaign_counts` has a few rows for each of them. */
const counts = sql<CampaignRow["counts"]>`(
  select json_object_agg(k.counted, k.n) from (
    select counted, sum(n)::int as n from campaign_counts
    where company_id = c.company_id and campaign_id = c.id group by counted) k)`;

function selectCampaigns(ctx: Ctx) {
  return ctx.db
    .selectFrom("campaigns as c")
    .where("c.company_id", "=", ctx.companyId)
    .select([
      "c.id",
      "c.name",
      "c.status",
      "c.confirmation",
      "c.messages",
      "c.confirmation_messages as confirmationMessages",
      "c.scheduled_at as scheduledAt",
      "c.started_at as startedAt",
      "c.completed_at as completedAt",
      "c.created_at as createdAt",
      "c.media_path",
      "c.media_name",
      "c.media_type",
      lines.as("lines"),
      contactList.as("contactList"),
      named("tags", "tag_id").as("tag"),
      named("file_lists", "file_list_id").as("fileList"),
      counts.as("counts"),
    ]);
}

/** One page, the newest first, of the campaigns whose name contains the text, and how many match in all. */
export async function searchCampaigns(
  ctx: Ctx,
  { searchParam, pageNumber }: { readonly searchParam: string; readonly pageNumber: number },
): Promise<{ readonly rows: CampaignRow[]; readonly count: number }> {
  const matches = sql<boolean>`(${searchParam} = '' or strpos(folded(c.name), folded(${searchParam})) > 0)`;
  const [rows, { count }] = await Promise.all([
    selectCampaigns(ctx)
      .where(matches)
      .orderBy("c.id", "desc")
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    ctx.db
      .selectFrom("campaigns as c")
      .where("c.company_id", "=", ctx.companyId)
      .where(matches)
      .select((of) => of.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

/** Those of these campaigns that exist. */
export async function findCampaigns(ctx: Ctx, ids: readonly number[]): Promise<CampaignRow[]> {
  return ids.length === 0 ? [] : selectCampaigns(ctx).where("c.id", "in", ids).execute();
}

/** ERR_NOT_FOUND. */
export async function findCampaign(ctx: Ctx, id: number): Promise<CampaignRow> {
  const [campaign] = await findCampaigns(ctx, [id]);
  return orThrow(campaign, id);
}

const ownColumns = [
  "id",
  "name",
  "status",
  "confirmation",
  "messages",
  "confirmation_messages",
  "scheduled_at",
  "started_at",
  "contact_list_id",
  "tag_id",
  "file_list_id",
  "media_path",
  "media_name",
  "media_type",
  "media_size",
] as const;

/** A campaign's own columns. */
export type StoredCampaign = Awaited<ReturnType<typeof lockCampaign>>;

/** The campaign, locked until the transaction ends: whoever changes its state waits for it. ERR_NOT_FOUND. */
export async function lockCampaign(ctx: Ctx, id: number) {
  return orThrow(await findLockedCampaign(ctx, id), id);
}

/** The same; undefined where it was deleted. */
export async function findLockedCampaign(ctx: Ctx, id: number) {
  return ctx.db
    .selectFrom("campaigns")
    .select(ownColumns)
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Its state, without a lock. */
export async function findStatus(ctx: Ctx, id: number): Promise<CampaignStatus | undefined> {
  const row = await ctx.db
    .selectFrom("campaigns")
    .select("status")
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.status;
}

const LINE_IDS: Statement<{ id: number }> = {
  name: "campaign_line_ids",
  text: `select n.id from campaign_lines l ${joinExistingLine} where l.company_id = $1 and l.campaign_id = $2
    order by l.position, n.id`,
};

/** The ids of its lines, the first one first. */
export async function findLineIds(ctx: Ctx, campaignId: number): Promise<number[]> {
  return (await ctx.raw(LINE_IDS, [ctx.companyId, campaignId])).map(({ id }) => id);
}

const AWAITS_IMPORT: Statement<{ awaits: boolean }> = {
  name: "campaign_awaits_import",
  text: `select exists (select from campaign_lines l ${joinExistingLine}
    where l.company_id = $1 and l.campaign_id = $2 and l.pause_reason = 'import') as awaits`,
};

/** Does a campaign that is due wait for an import of its list? */
export async function awaitsImport(ctx: Ctx, campaignId: number): Promise<boolean> {
  const [row] = await ctx.raw(AWAITS_IMPORT, [ctx.companyId, campaignId]);
  return row?.awaits === true;
}

const END_IMPORT_WAIT: Statement<never> = {
  name: "campaign_end_import_wait",
  text: `update campaign_lines set pause_reason = null, paused_until = null
    where company_id = $1 and campaign_id = $2 and pause_reason = 'import'`,
};

/** Forgets that a campaign waited for an import. */
export async function endImportWait(ctx: Ctx, campaignId: number): Promise<void> {
  await ctx.raw(END_IMPORT_WAIT, [ctx.companyId, campaignId]);
}

export type StateFields = Partial<{
  status: CampaignStatus;
  scheduled_at: Date | null;
  started_at: Date;
  completed_at: Date;
}>;

/** Saves its state. Lock it first. */
export async function saveState(ctx: Ctx, id: number, fields: StateFields): Promise<void> {
  await ctx.db
    .updateTable("campaigns")
    .set({ ...fields, company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

function orThrow<T>(row: T | undefined, campaignId: number): T {
  if (row === undefined) {
    throw new AppError("ERR_NOT_FOUND", { campaignId });
  }
  return row;
}
