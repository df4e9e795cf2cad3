import type { Feature } from "#server/platform/feature.ts";
import { deadJobsRoutes } from "./dead-jobs.routes.ts";

export const feature: Feature = {
  name: "dead-jobs",
  routes: deadJobsRoutes,
};
