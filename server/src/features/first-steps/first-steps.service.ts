import { wallClockOf } from "@prosa/contract";
import type { FirstSteps } from "@prosa/contract";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import { preferenceOf, savePreference } from "#server/features/users/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findFirstSteps } from "./first-steps.queries.ts";

/** The day on which the user hid the list: it comes back on the next one, until the steps are done. */
const hiddenOn = "firstStepsHiddenOn";

export async function getFirstSteps(ctx: Ctx): Promise<FirstSteps> {
  const { hasLinked, ...steps } = await findFirstSteps(ctx);
  // Whose contacts write has had a line, also where it was deleted.
  const line = hasLinked || steps.message;
  return { line, ...steps, isHidden: (await preferenceOf(ctx, hiddenOn)) === (await today(ctx)) };
}

/** Hides the user's list for the rest of the company's day, or shows it again. */
export async function hideFirstSteps(ctx: Ctx, isHidden: boolean): Promise<FirstSteps> {
  await savePreference(ctx, hiddenOn, isHidden ? await today(ctx) : null);
  return getFirstSteps(ctx);
}

async function today(ctx: Ctx): Promise<string> {
  const { timeZone } = await companyLocaleOf(ctx);
  return wallClockOf(ctx.now(), timeZone).slice(0, 10);
}
