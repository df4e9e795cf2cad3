import type { Feature } from "#server/platform/feature.ts";
import { tellRecords } from "#server/platform/realtime/index.ts";
import { SEND_TASK, sendScheduled } from "./schedules.jobs.ts";
import { findSchedules } from "./schedules.queries.ts";
import { schedulesRoutes } from "./schedules.routes.ts";
import { scheduleView } from "./schedules.view.ts";

export const feature: Feature = {
  name: "schedules",
  routes: schedulesRoutes,
  tasks: () => ({ [SEND_TASK]: sendScheduled }),
  events: () =>
    tellRecords({
      noun: "schedule",
      idIn: "scheduleId",
      load: async (ctx, ids) => (await findSchedules(ctx, ids)).map(scheduleView),
    }),
};
