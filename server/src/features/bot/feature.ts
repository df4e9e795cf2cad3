import type { Feature } from "#server/platform/feature.ts";
import { botRoutes } from "./bot.routes.ts";
import { runTimers, timersCron, TIMERS_TASK } from "./timers/index.ts";

export const feature: Feature = {
  name: "bot",
  routes: botRoutes,
  crons: () => [timersCron],
  tasks: () => ({ [TIMERS_TASK]: runTimers }),
};
