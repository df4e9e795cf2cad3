import type { Feature } from "#server/platform/feature.ts";
import { optOutData } from "./opt-outs/index.ts";
import { sendingRoutes } from "./sending.routes.ts";

export const feature: Feature = { name: "sending", routes: sendingRoutes, personalData: [optOutData] };
