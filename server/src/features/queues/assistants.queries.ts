import { sql } from "kysely";
import type { Ctx } from "#server/platform/ctx.ts";

/** True if the prompt is the company's. Locks it against deletion until the transaction ends. */
export async function isOwnPrompt(ctx: Ctx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from prompts where company_id = ${ctx.companyId} and id = ${id} for key share`.execute(ctx.db);
  return rows.length > 0;
}

/** True if the integration is the company's. Locks it against deletion until the transaction ends. */
export async function isOwnIntegration(ctx: Ctx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from queue_integrations where company_id = ${ctx.companyId} and id = ${id} for key share`.execute(ctx.db);
  return rows.length > 0;
}
