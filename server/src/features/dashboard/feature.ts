import type { Feature } from "#server/platform/feature.ts";
import { dashboardRoutes } from "./dashboard.routes.ts";

export const feature: Feature = { name: "dashboard", routes: dashboardRoutes };
