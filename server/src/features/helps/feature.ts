import type { Feature } from "#server/platform/feature.ts";
import { helpsRoutes } from "./helps.routes.ts";

export const feature: Feature = {
  name: "helps",
  routes: helpsRoutes,
};
