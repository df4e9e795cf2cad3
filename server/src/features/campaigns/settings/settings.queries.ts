import type { CampaignSettingKey } from "@prosa/contract";
import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type {} from "../campaigns.tables.ts";

/** The settings that were saved; the others have their defaults. */
export async function findCampaignSettings(ctx: Ctx): Promise<{ key: CampaignSettingKey; value: unknown }[]> {
  return ctx.db
    .selectFrom("campaign_settings")
    .select(["key", "value"])
    .where("company_id", "=", ctx.companyId)
    .execute();
}

/** Lets one save at a time, the first of a company too: of two at once the second reads what the first has saved. */
export async function lockCampaignSettings(ctx: Ctx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('campaign settings', ${ctx.companyId}))`.execute(ctx.db);
}

/** A campaign with all that it says. */
interface CampaignTexts {
  readonly name: string;
  readonly texts: readonly string[];
}

/** The campaigns that are scheduled, being sent or cancelled, which may go on, with the texts that contacts get. */
export async function findTextsToSend(ctx: Ctx): Promise<CampaignTexts[]> {
  const rows = await ctx.db
    .selectFrom("campaigns")
    .select(["name", "confirmation", "messages", "confirmation_messages"])
    .where("company_id", "=", ctx.companyId)
    .where("status", "in", ["PROGRAMADA", "EM_ANDAMENTO", "CANCELADA"])
    .orderBy("id")
    .execute();
  return rows.map(({ name, confirmation, messages, confirmation_messages: requests }) => ({
    name,
    texts: confirmation ? [...messages, ...requests] : messages,
  }));
}

/** Upserts settings; values are JSON. */
export async function saveCampaignSettingRows(
  ctx: Ctx,
  settings: readonly { readonly key: CampaignSettingKey; readonly value: unknown }[],
): Promise<void> {
  await ctx.db
    .insertInto("campaign_settings")
    .values(settings.map(({ key, value }) => ({ company_id: ctx.companyId, key, value: JSON.stringify(value) })))
    .onConflict((conflict) => conflict.columns(["company_id", "key"]).doUpdateSet({ value: sql`excluded.value` }))
    .execute();
}
