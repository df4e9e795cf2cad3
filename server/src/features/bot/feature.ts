import type { Feature } from "#server/platform/feature.ts";
import { botRoutes } from "./bot.routes.ts";

export const feature: Feature = { name: "bot", routes: botRoutes };
