import type { Feature } from "#server/platform/feature.ts";
import { livelyPeople } from "./lively.part.ts";
import { simulatorRoutes } from "./simulator.routes.ts";

export const feature: Feature = {
  name: "simulator",
  routes: simulatorRoutes,
  backgroundServices: (services) => [livelyPeople(services)],
};
