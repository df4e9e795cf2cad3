import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const FILL_PLACEHOLDER: Statement<{ id: number }> = {
  name: "message_fill_change_placeholder",
  text: `update messages m set is_stub = false, data = jsonb_build_object('what', $3::text), version = m.version + 1
    where m.company_id = $1 and m.id = $2 and m.is_stub returning m.id`,
};

/** Replaces a placeholder by the kind of change that it was. False if it is no placeholder any more. */
export async function fillChangePlaceholder(ctx: Ctx, id: number, what: string): Promise<boolean> {
  const rows = await ctx.raw(FILL_PLACEHOLDER, [ctx.companyId, id, what]);
  return rows.length > 0;
}
