import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { FileColumns } from "#server/platform/storage/index.ts";
import type { StoredCampaign } from "../campaigns.queries.ts";

/** What people write of a campaign. */
export type CampaignFields = Pick<
  StoredCampaign,
  | "name"
  | "status"
  | "confirmation"
  | "messages"
  | "confirmation_messages"
  | "scheduled_at"
  | "contact_list_id"
  | "tag_id"
  | "file_list_id"
>;
export type CampaignFile = { readonly [K in keyof FileColumns]: FileColumns[K] | null };

/** Undefined: its request has made one already, see `findRequested` of the database. */
export async function insertCampaign(
  ctx: Ctx,
  fields: CampaignFields &
    Partial<CampaignFile> & { readonly user_id: number | null; readonly request_id: string | null },
): Promise<number | undefined> {
  const inserted = await ctx.db
    .insertInto("campaigns")
    .values({ ...fields, company_id: ctx.companyId, created_at: ctx.now() })
    .onConflict((conflict) =>
      conflict.columns(["company_id", "request_id"]).where("request_id", "is not", null).doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  return inserted?.id;
}

export async function saveCampaign(
  ctx: Ctx,
  id: number,
  fields: Partial<CampaignFields> | CampaignFile,
): Promise<void> {
  await ctx.db
    .updateTable("campaigns")
    .set({ ...fields, company_id: ctx.companyId })
    .where("company_id", "=", ctx.companyId)
    .where("id", "=", id)
    .execute();
}

/** Replaces the lines of a campaign that has not started. */
export async function saveLines(ctx: Ctx, campaignId: number, connectionIds: readonly number[]): Promise<void> {
  await ctx.db
    .deleteFrom("campaign_lines")
    .where("company_id", "=", ctx.companyId)
    .where("campaign_id", "=", campaignId)
    .where("connection_id", "not in", connectionIds.length > 0 ? connectionIds : [0])
    .execute();
  if (connectionIds.length > 0) {
    await ctx.db
      .insertInto("campaign_lines")
      .values(
        connectionIds.map((connectionId, position) => ({
          company_id: ctx.companyId,
          campaign_id: campaignId,
          connection_id: connectionId,
          position,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["campaign_id", "connection_id"]).doUpdateSet({ position: sql`excluded.position` }),
      )
      .execute();
  }
}

export async function deleteCampaign(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("campaigns").where("company_id", "=", ctx.companyId).where("id", "=", id).execute();
}

/** What a campaign refers to. */
export interface References {
  readonly connectionIds: readonly number[];
  readonly contactListId: number | null;
  readonly tagId: number | null;
  readonly fileListId: number | null;
}

const CHECK_REFERENCES: Statement<{ hasLines: boolean; hasAudience: boolean; hasFileList: boolean }> = {
  name: "campaign_references",
  text: `select (select count(*) from connections where company_id = $1 and id = any($2::int[])) = cardinality($2::int[]) as "hasLines",
      ($3::int is null or exists (select from contact_lists where company_id = $1 and id = $3))
        and ($4::int is null or exists (select from tags where company_id = $1 and id = $4)) as "hasAudience",
      ($5::int is null or exists (select from file_lists where company_id = $1 and id = $5)) as "hasFileList"`,
};

/** Do lines, list, tag and file list belong to the company? */
export async function checkReferences(
  ctx: Ctx,
  { connectionIds, contactListId, tagId, fileListId }: References,
): Promise<{ readonly hasLines: boolean; readonly hasAudience: boolean; readonly hasFileList: boolean }> {
  const [found] = await ctx.raw(CHECK_REFERENCES, [ctx.companyId, connectionIds, contactListId, tagId, fileListId]);
  return found!;
}

const FIND_FILES: Statement<{ key: string }> = {
  name: "campaigns_find_files",
  text: `select distinct media_path as key from campaigns where company_id = $1 and media_path = any($2::text[])`,
};

/** The storage keys among these that a campaign refers to. */
export async function findCampaignFiles(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  return (await ctx.raw(FIND_FILES, [ctx.companyId, keys])).map(({ key }) => key);
}
