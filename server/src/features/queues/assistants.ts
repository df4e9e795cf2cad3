import type { PlanFlag } from "@prosa/contract";
import { planOf } from "#server/features/plans/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { isOwnIntegration, isOwnPrompt } from "./assistants.queries.ts";

/** The AI prompt and the integration that a queue, a connection or a ticket refers to. */
export interface Assistants {
  readonly promptId?: number | null | undefined;
  readonly integrationId?: number | null | undefined;
}

/**
 * Checks new references to a prompt or an integration. Throws ERR_NOT_FOUND for one of another company, and
 * ERR_PLAN_WITHOUT_FEATURE if the plan does not include it. A reference that equals the one `before` is not checked.
 */
export async function allowAssistants(ctx: Ctx, next: Assistants, before: Assistants = {}): Promise<void> {
  const { promptId, integrationId } = next;
  if (promptId != null && promptId !== before.promptId) {
    await requireFeature(ctx, "useOpenAi");
    requireOwn(await isOwnPrompt(ctx, promptId), { promptId });
  }
  if (integrationId != null && integrationId !== before.integrationId) {
    await requireFeature(ctx, "useIntegrations");
    requireOwn(await isOwnIntegration(ctx, integrationId), { integrationId });
  }
}

/** A company without a plan (the operator's own) has every feature. */
async function requireFeature(ctx: Ctx, flag: PlanFlag): Promise<void> {
  const plan = await planOf(ctx);
  if (plan?.[flag] === false) {
    throw new AppError("ERR_PLAN_WITHOUT_FEATURE", { feature: flag });
  }
}

function requireOwn(isOwn: boolean, reference: Assistants): void {
  if (!isOwn) {
    throw new AppError("ERR_NOT_FOUND", { ...reference });
  }
}
