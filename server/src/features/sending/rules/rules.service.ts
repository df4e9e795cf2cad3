import { sendingDefaults, wallClockOf } from "@prosa/contract";
import type { BodyOf, SendingRules, sendingRulesApi } from "@prosa/contract";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { sendingRulesSaved } from "../sending.events.ts";
import { gapMs } from "../admission/index.ts";
import { ageDaysOf, findPlan, limitAtAge } from "../warm-up/index.ts";
import { findCompanyRules, findLineRules, saveCompanyRules, saveLineRules, shortenPaces } from "./rules.queries.ts";

/** The company's rules, or the default ones, with what holds for each of its lines today (P-03). */
export async function readSendingRules(ctx: Ctx): Promise<SendingRules> {
  const { minGapSeconds, hours } = (await findCompanyRules(ctx)) ?? sendingDefaults;
  const plan = await findPlan(ctx);
  const now = ctx.now();
  const { timeZone } = await companyLocaleOf(ctx);
  const today = wallClockOf(now, timeZone).slice(0, 10);
  const lines = (await findLineRules(ctx, today)).map(({ linkedAt, ...line }) => {
    const ageDays = ageDaysOf(linkedAt, now);
    return { ...line, ageDays, warmUpLimit: line.warmUp ? limitAtAge(plan, ageDays) : null };
  });
  return { minGapSeconds, hours, lines };
}

/** Saves the rules that are given, and lets what the old ones held look again. The others stay as they are. ERR_NO_WAPP_FOUND for one that is not the company's. */
export async function saveSendingRules(
  ctx: Ctx,
  { minGapSeconds, hours, lines }: BodyOf<typeof sendingRulesApi.save>,
): Promise<SendingRules> {
  if (minGapSeconds !== undefined || hours !== undefined) {
    await saveCompanyRules(ctx, { minGapSeconds, hours });
  }
  if (minGapSeconds !== undefined) {
    await shortenPaces(ctx, new Date(ctx.now().getTime() + gapMs(minGapSeconds, 1)));
  }
  if (lines.length > 0) {
    const saved = new Set(await saveLineRules(ctx, lines));
    if (lines.some(({ whatsappId }) => !saved.has(whatsappId))) {
      throw new AppError("ERR_NO_WAPP_FOUND");
    }
  }
  ctx.emit(sendingRulesSaved);
  return readSendingRules(ctx);
}
