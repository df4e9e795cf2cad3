import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const STORED_CALLS: Statement<{ readonly waId: string }> = {
  name: "inbound_stored_calls",
  text: `select wa_id as "waId" from messages
    where company_id = $1 and connection_id = $2 and wa_id = any($3::text[]) and media_type = 'call_log'`,
};

/** Which of these calls, by the `waId` of their message, are in a conversation of the connection. */
export async function findStoredCalls(
  ctx: Ctx,
  connectionId: number,
  waIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await ctx.raw(STORED_CALLS, [ctx.companyId, connectionId, waIds]);
  return new Set(rows.map(({ waId }) => waId));
}
