import type { Feature } from "#server/platform/feature.ts";
import { storageRoutes } from "./storage.routes.ts";

export const feature: Feature = {
  name: "storage",
  routes: storageRoutes,
};
