import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";

const FILL_STUB: Statement<{ id: number }> = {
  name: "message_fill_change_stub",
  text: `update messages m set is_stub = false, data = jsonb_build_object('what', $3::text), version = m.version + 1
    where m.company_id = $1 and m.id = $2 and m.is_stub returning m.id`,
};

/** Says what a stub was that has no words to come. False when it is none any more. */
export async function fillChangeStub(ctx: Ctx, id: number, what: string): Promise<boolean> {
  const rows = await ctx.raw(FILL_STUB, [ctx.companyId, id, what]);
  return rows.length > 0;
}
