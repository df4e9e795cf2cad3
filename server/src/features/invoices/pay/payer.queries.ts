import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";

/** Whom a provider bills. */
export async function findPayer(ctx: Ctx): Promise<{ name: string; email: string | null; taxId: string }> {
  return ctx.db
    .selectFrom("companies")
    .select([sql<string>`coalesce(nullif(billing_name, ''), name)`.as("name"), "email", "tax_id as taxId"])
    .where("id", "=", ctx.companyId)
    .executeTakeFirstOrThrow();
}
