import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type {} from "./settings.tables.ts";

export async function findSettings(ctx: Ctx): Promise<{ key: string; value: string }[]> {
  return ctx.db.selectFrom("settings").select(["key", "value"]).where("company_id", "=", ctx.companyId).execute();
}

/** Upserts a setting in a system transaction: for the operator, who is of another company. */
export async function saveSettingRowOf(tx: SystemTx, companyId: number, key: string, value: string): Promise<void> {
  await tx.db
    .insertInto("settings")
    .values({ company_id: companyId, key, value })
    .onConflict((conflict) => conflict.columns(["company_id", "key"]).doUpdateSet({ value: sql`excluded.value` }))
    .execute();
}

export async function saveSettingRow(ctx: Ctx, key: string, value: string): Promise<void> {
  await ctx.db
    .insertInto("settings")
    .values({ company_id: ctx.companyId, key, value })
    .onConflict((conflict) => conflict.columns(["company_id", "key"]).doUpdateSet({ value: sql`excluded.value` }))
    .execute();
}
