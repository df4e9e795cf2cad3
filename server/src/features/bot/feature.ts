import type { Feature } from "#server/platform/feature.ts";
import { botRoutes } from "./bot.routes.ts";
import { keepTime, timers, TIMERS_TASK } from "./timers.ts";

export const feature: Feature = {
  name: "bot",
  routes: botRoutes,
  crons: () => [timers],
  tasks: () => ({ [TIMERS_TASK]: keepTime }),
};
