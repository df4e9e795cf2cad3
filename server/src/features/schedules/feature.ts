import type { Feature } from "#server/platform/feature.ts";
import { adminIdsOf } from "#server/features/users/index.ts";
import { publishRecords, userRoom } from "#server/platform/realtime/index.ts";
import { SEND_TASK, sendScheduled } from "./schedules.jobs.ts";
import { findSchedules } from "./schedules.queries.ts";
import { schedulesRoutes } from "./schedules.routes.ts";
import { scheduleView } from "./schedules.view.ts";

export const feature: Feature = {
  name: "schedules",
  routes: schedulesRoutes,
  tasks: () => ({ [SEND_TASK]: sendScheduled }),
  events: () =>
    publishRecords({
      noun: "schedule",
      idField: "scheduleId",
      load: async (ctx, ids) => (await findSchedules(ctx, ids)).map(scheduleView),
      // The author, and the users who may read all schedules.
      recordRooms: async (ctx) => {
        const admins = (await adminIdsOf(ctx)).map(userRoom);
        return ({ userId }) => (userId === null ? admins : [userRoom(userId), ...admins]);
      },
    }),
};
