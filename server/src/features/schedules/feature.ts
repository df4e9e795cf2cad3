import { wireName } from "@prosa/contract";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import { SEND_TASK, sendScheduled } from "./schedules.jobs.ts";
import { schedulesRoutes } from "./schedules.routes.ts";

export const feature: Feature = {
  name: "schedules",
  routes: schedulesRoutes,
  tasks: () => ({ [SEND_TASK]: sendScheduled }),
  events: () => ({
    // One packet for all of a batch: browsers that show them ask again.
    "schedule.changed": async (_batch, { companyId }) => [
      { rooms: [everybody], event: wireName(companyId, "schedule"), payload: { action: "changed" } },
    ],
  }),
};
