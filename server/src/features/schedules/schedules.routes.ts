import { scheduledMessages } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { createSchedule, getSchedule, listSchedules, removeSchedule, updateSchedule } from "./schedules.service.ts";

export function schedulesRoutes(api: Api): void {
  serve(api, scheduledMessages.list, (ctx, { query }) => listSchedules(ctx, query));
  serve(api, scheduledMessages.get, (ctx, { params }) => getSchedule(ctx, params.id));
  serve(api, scheduledMessages.create, (ctx, { body }) => createSchedule(ctx, body));
  serve(api, scheduledMessages.update, (ctx, { params, body }) => updateSchedule(ctx, params.id, body));
  serve(api, scheduledMessages.remove, async (ctx, { params }) => {
    await removeSchedule(ctx, params.id);
    return { message: "Schedule deleted" };
  });
}
