import type { Plan } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached, SystemTx } from "#server/platform/db/index.ts";
import { findPlanOfCompany, insertPlan, lockAndCount } from "./plans.queries.ts";
import { allFlags, planView } from "./plans.view.ts";

export interface NewPlan extends Omit<Plan, "id"> {
  /** Does a visitor of the sign-up see it? */
  readonly isPublic: boolean;
}

const planOfCompany: Cached<Plan | null> = {
  name: "plan",
  staleAfter: ["company.updated", "plan.updated"],
  async load(ctx) {
    const row = await findPlanOfCompany(ctx);
    return row ? planView(row) : null;
  },
};

/** Makes the plan, or returns the one that has this name. */
export async function createPlan(tx: SystemTx, plan: NewPlan): Promise<Plan> {
  const { name, users, connections, queues, value, isPublic } = plan;
  return planView(
    await insertPlan(tx, { name, users, connections, queues, value, is_public: isPublic, flags: allFlags(plan) }),
  );
}

export function planOf(ctx: Ctx): Promise<Plan | null> {
  return ctx.cached(planOfCompany);
}

/** Refuses one more than the company's plan allows (Y-05). A company without a plan may have none. */
export async function claimPlaceInPlan(ctx: Ctx, what: "users" | "connections" | "queues"): Promise<void> {
  const [plan, count] = await Promise.all([planOf(ctx), lockAndCount(ctx, what)]);
  const limit = plan?.[what] ?? 0;
  if (count >= limit) {
    throw new AppError("ERR_PLAN_LIMIT", { what, limit });
  }
}
