import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";

/** Is it the company's? Nobody deletes it until the transaction ends. */
export async function isOwnPrompt(ctx: Ctx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from prompts where company_id = ${ctx.companyId} and id = ${id} for key share`.execute(ctx.db);
  return rows.length > 0;
}

/** As of a prompt. */
export async function isOwnIntegration(ctx: Ctx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from queue_integrations where company_id = ${ctx.companyId} and id = ${id} for key share`.execute(ctx.db);
  return rows.length > 0;
}
