import type { Feature } from "#server/platform/feature.ts";
import { dashboardRoutes } from "./dashboard.routes.ts";
import { FOLD_TASK, foldCompany, foldCron } from "./kept-days.jobs.ts";

export const feature: Feature = {
  name: "dashboard",
  routes: dashboardRoutes,
  crons: () => [foldCron],
  tasks: () => ({ [FOLD_TASK]: foldCompany }),
};
