import type { Feature } from "#server/platform/feature.ts";
import { scriptedCustomersPart } from "./scripted-customers/index.ts";
import { simulatorRoutes } from "./simulator.routes.ts";
import { simulatedPersonData } from "./people/index.ts";
import { phoneFiles } from "./phone/index.ts";

export const feature: Feature = {
  name: "simulator",
  files: [phoneFiles],
  personalData: [simulatedPersonData],
  routes: simulatorRoutes,
  backgroundServices: (services) => [scriptedCustomersPart(services)],
};
