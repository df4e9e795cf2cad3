import type { Feature } from "#server/platform/feature.ts";
import { firstStepsRoutes } from "./first-steps.routes.ts";

export const feature: Feature = { name: "first-steps", routes: firstStepsRoutes };
