import type { Feature } from "#server/platform/feature.ts";
import { plansRoutes } from "./plans.routes.ts";

export const feature: Feature = {
  name: "plans",
  routes: plansRoutes,
  // What the plan allows stands in every session of the companies that have it.
  eventWatchers: ({ sessions }) => ({
    "plan.updated": ({ companyId }) => sessions.forgetCompany(companyId),
  }),
};
