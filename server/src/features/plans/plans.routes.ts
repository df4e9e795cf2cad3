import { plans } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { changePlan, getPlan, listPlans, addPlan, listPublicPlans, removePlan } from "./plans.service.ts";

/** Plans belong to no company: each verb opens a system transaction. */
const ownTransaction = { transaction: "none" } as const;

export function plansRoutes(api: Api): void {
  const { db } = api.services;

  serve(api, plans.list, () => listPlans(db), ownTransaction);
  serve(api, plans.lookup, () => listPublicPlans(db), ownTransaction);
  serve(api, plans.all, () => listPublicPlans(db), ownTransaction);
  serve(api, plans.get, (_, { params }) => getPlan(db, params.id), ownTransaction);
  serve(api, plans.create, (scope, { body }) => scope.inSystemOnce((tx) => addPlan(tx, body)), { transaction: "once" });
  serve(api, plans.update, (_, { params, body }) => changePlan(db, params.id, body), ownTransaction);
  serve(
    api,
    plans.remove,
    async (_, { params }) => {
      await removePlan(db, params.id);
      return { message: "Plan deleted" };
    },
    ownTransaction,
  );
}
