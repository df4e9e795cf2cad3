import { wireName } from "@prosa/contract";
import { everybody } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { findPlanOfCompany } from "./plans.queries.ts";
import { planView } from "./plans.view.ts";

/** Tells the company's browsers its plan, by which they show menu and screens (Y-05). */
export const publishPlan: EventHandler = async (_batch, { companyId, read }) => {
  const row = await read(findPlanOfCompany);
  const payload = { action: "update", plan: row ? planView(row) : null };
  return [{ rooms: [everybody], event: wireName(companyId, "plan"), payload }];
};
