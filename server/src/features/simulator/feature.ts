import type { Feature } from "#server/platform/feature.ts";
import { scriptedCustomersPart } from "./scripted-customers/index.ts";
import { simulatorRoutes } from "./simulator.routes.ts";

export const feature: Feature = {
  name: "simulator",
  routes: simulatorRoutes,
  backgroundServices: (services) => [scriptedCustomersPart(services)],
};
