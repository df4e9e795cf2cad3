import { wallClockOf } from "@prosa/contract/zoned-time";
import { companyProfileOf } from "#server/features/companies/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";

/** The first day of this month in the company's time zone, by which the use of prompts is counted. */
export async function monthOf(ctx: Ctx): Promise<string> {
  const { timeZone } = await companyProfileOf(ctx);
  return `${wallClockOf(ctx.now(), timeZone).slice(0, 7)}-01`;
}
