import type { Feature } from "#server/platform/feature.ts";
import { setupRoutes } from "./setup.routes.ts";
import { createLanding } from "./setup.service.ts";

export const feature: Feature = { name: "setup", routes: setupRoutes, landing: createLanding };
