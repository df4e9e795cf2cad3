import type { WarmUpStep } from "@prosa/contract";
import type { Db } from "#server/platform/db/index.ts";
import { sendingRulesSaved } from "../sending.events.ts";
import { findCompaniesWithLines, findPlan, replacePlan } from "./warm-up-plan.queries.ts";

export async function readWarmUpPlan(db: Db): Promise<{ steps: WarmUpStep[] }> {
  return { steps: await db.systemTx((tx) => findPlan(tx)) };
}

/** Replaces the plan, for all companies and from now on, and lets what the old one held look again. */
export async function saveWarmUpPlan(db: Db, steps: readonly WarmUpStep[]): Promise<{ steps: WarmUpStep[] }> {
  return {
    steps: await db.systemTx(async (tx) => {
      await replacePlan(tx, steps);
      for (const companyId of await findCompaniesWithLines(tx)) {
        tx.emit(companyId, sendingRulesSaved);
      }
      return findPlan(tx);
    }),
  };
}
