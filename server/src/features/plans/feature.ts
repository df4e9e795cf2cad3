import type { Feature } from "#server/platform/feature.ts";
import { publishPlan } from "./plans.realtime.ts";
import { plansRoutes } from "./plans.routes.ts";

export const feature: Feature = {
  name: "plans",
  routes: plansRoutes,
  events: () => ({ "plan.updated": publishPlan }),
  // Sessions hold the limits and flags of the plan.
  eventWatchers: ({ sessions }) => ({
    "plan.updated": ({ companyId }) => sessions.forgetCompany(companyId),
  }),
};
