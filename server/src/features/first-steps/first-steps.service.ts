import type { FirstSteps } from "@prosa/contract";
import { preferenceOf, savePreference } from "#server/features/users/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findFirstSteps } from "./first-steps.queries.ts";

/** "true": the user hid the list, for good. */
const hidden = "firstStepsHidden";

/** `hasSimulator`: of the installation. */
export async function getFirstSteps(ctx: Ctx, hasSimulator: boolean): Promise<FirstSteps> {
  const { hasLinked, ...steps } = await findFirstSteps(ctx);
  // Whose contacts write has had a line, also where it was deleted.
  const line = hasLinked || steps.message;
  return { line, ...steps, hasSimulator, isHidden: (await preferenceOf(ctx, hidden)) === "true" };
}

/** Hides the user's list until they show it again: the empty desk offers that as long as a step is left. */
export async function hideFirstSteps(ctx: Ctx, hasSimulator: boolean, isHidden: boolean): Promise<FirstSteps> {
  await savePreference(ctx, hidden, isHidden ? "true" : null);
  return getFirstSteps(ctx, hasSimulator);
}
