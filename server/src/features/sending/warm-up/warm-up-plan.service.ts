import type { WarmUpStep } from "@prosa/contract";
import type { Db } from "#server/platform/db/index.ts";
import { findPlan, replacePlan } from "./warm-up-plan.queries.ts";

export async function readWarmUpPlan(db: Db): Promise<{ steps: WarmUpStep[] }> {
  return { steps: await db.systemTx((tx) => findPlan(tx)) };
}

/** Replaces the plan, for all companies and from now on. */
export async function saveWarmUpPlan(db: Db, steps: readonly WarmUpStep[]): Promise<{ steps: WarmUpStep[] }> {
  return {
    steps: await db.systemTx(async (tx) => {
      await replacePlan(tx, steps);
      return findPlan(tx);
    }),
  };
}
