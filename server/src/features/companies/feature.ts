import type { Feature } from "#server/platform/feature.ts";
import { companiesRoutes } from "./companies.routes.ts";

export const feature: Feature = {
  name: "companies",
  routes: companiesRoutes,
  // Its plan, due date or standing changed: every session of the company is asked again.
  watches: ({ sessions }) => ({
    "company.updated": ({ companyId }) => sessions.forgetCompany(companyId),
  }),
};
