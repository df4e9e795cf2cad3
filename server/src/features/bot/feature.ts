import type { Feature } from "#server/platform/feature.ts";
import { answerByAssistant, ASSISTANT_TASK, kindsOf } from "./assistants/index.ts";
import type { AssistantDrivers } from "./assistants/index.ts";
import { botRoutes } from "./bot.routes.ts";
import { runTimers, timersCron, TIMERS_TASK } from "./timers/index.ts";

/** The bot. Assistants answer where a queue or a connection names one of a kind that has a driver. */
export function botFeature(assistants: AssistantDrivers): Feature {
  const kinds = kindsOf(assistants);
  return {
    name: "bot",
    routes: (api) => botRoutes(api, kinds),
    crons: () => [timersCron],
    waitingTasks: [ASSISTANT_TASK],
    tasks: (services) => ({
      [TIMERS_TASK]: runTimers(kinds),
      [ASSISTANT_TASK]: answerByAssistant(assistants, services),
    }),
  };
}
