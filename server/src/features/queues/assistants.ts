import type { PlanFlag } from "@prosa/contract";
import { planOf } from "#server/features/plans/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { isOwnIntegration, isOwnPrompt } from "./assistants.queries.ts";

/** What answers instead of the bot's texts, as queues, connections and tickets choose it. */
export interface Assistants {
  readonly promptId?: number | null | undefined;
  readonly integrationId?: number | null | undefined;
}

/**
 * May the company choose these? Throws ERR_NOT_FOUND for an id that is not its own, and ERR_PLAN_WITHOUT_FEATURE for a
 * new choice of what its plan does not include; what was chosen `before` may stay.
 */
export async function allowAssistants(ctx: Ctx, wish: Assistants, before: Assistants = {}): Promise<void> {
  const { promptId, integrationId } = wish;
  if (promptId != null && promptId !== before.promptId) {
    await mustHave(ctx, "useOpenAi");
    mustBeOwn(await isOwnPrompt(ctx, promptId), { promptId });
  }
  if (integrationId != null && integrationId !== before.integrationId) {
    await mustHave(ctx, "useIntegrations");
    mustBeOwn(await isOwnIntegration(ctx, integrationId), { integrationId });
  }
}

/** A company without a plan (the operator's own) has everything. */
async function mustHave(ctx: Ctx, flag: PlanFlag): Promise<void> {
  const plan = await planOf(ctx);
  if (plan?.[flag] === false) {
    throw new AppError("ERR_PLAN_WITHOUT_FEATURE", { feature: flag });
  }
}

function mustBeOwn(isOwn: boolean, named: Assistants): void {
  if (!isOwn) {
    throw new AppError("ERR_NOT_FOUND", { ...named });
  }
}
