import { wireName } from "@prosa/contract";
import { z } from "zod";
import type { Feature } from "#server/platform/feature.ts";
import { everybody } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { SEND_TASK, sendScheduled } from "./schedules.jobs.ts";
import { findSchedules } from "./schedules.queries.ts";
import { schedulesRoutes } from "./schedules.routes.ts";
import { scheduleView } from "./schedules.view.ts";

const about = z.object({ scheduleId: z.number().int() });

const tell =
  (action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = [...new Set(batch.map(({ payload }) => about.parse(payload).scheduleId))];
    const rows = await read((ctx) => findSchedules(ctx, ids));
    return rows.map((row) => ({
      rooms: [everybody],
      event: wireName(companyId, "schedule"),
      payload: { action, record: scheduleView(row) },
    }));
  };

export const feature: Feature = {
  name: "schedules",
  routes: schedulesRoutes,
  tasks: () => ({ [SEND_TASK]: sendScheduled }),
  events: () => ({
    "schedule.created": tell("create"),
    "schedule.updated": tell("update"),
    "schedule.deleted": async (batch, { companyId }) =>
      batch.map(({ payload }) => ({
        rooms: [everybody],
        event: wireName(companyId, "schedule"),
        payload: { action: "delete", id: about.parse(payload).scheduleId },
      })),
  }),
};
