import { companyServiceOf } from "#server/features/companies/index.ts";
import { planOf } from "#server/features/plans/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";

/** Whether other software is told: not of a company that is switched off or overdue, or whose plan has lost the external API. */
export async function mayTell(ctx: Ctx): Promise<boolean> {
  const [{ isActive, endsAt }, plan] = await Promise.all([companyServiceOf(ctx), planOf(ctx)]);
  return isActive && (endsAt === null || endsAt > ctx.now()) && (plan?.useExternalApi ?? true);
}
