import { scheduledMessages } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { attachFile, createWithFile, detachFile, removeWithFile } from "./schedules.files.ts";
import type { ScheduleRow } from "./schedules.queries.ts";
import { getSchedule, listSchedules, retrySchedule, updateSchedule } from "./schedules.service.ts";
import { scheduleView } from "./schedules.view.ts";

export function schedulesRoutes(api: Api): void {
  const { media, storage } = api.services;
  const view = (companyId: number, row: ScheduleRow) => scheduleView(media, companyId, row);
  // Files are stored and deleted outside the transaction.
  const noTransaction = { transaction: "none" } as const;

  serve(api, scheduledMessages.list, async (ctx, { query }) => {
    const { rows, ...page } = await listSchedules(ctx, query);
    return { ...page, schedules: rows.map((row) => view(ctx.companyId, row)) };
  });
  serve(api, scheduledMessages.get, async (ctx, { params }) => view(ctx.companyId, await getSchedule(ctx, params.id)));
  serve(
    api,
    scheduledMessages.create,
    async (scope, { body, files: [upload] }) =>
      view(scope.actor?.companyId ?? 0, await createWithFile(scope, storage, body, upload)),
    noTransaction,
  );
  serve(api, scheduledMessages.update, async (ctx, { params, body }) =>
    view(ctx.companyId, await updateSchedule(ctx, params.id, body)),
  );
  serve(api, scheduledMessages.retry, async (ctx, { params }) =>
    view(ctx.companyId, await retrySchedule(ctx, params.id)),
  );
  serve(
    api,
    scheduledMessages.upload,
    async (scope, { params, files: [upload] }) =>
      view(scope.actor?.companyId ?? 0, await attachFile(scope, storage, params.id, upload)),
    noTransaction,
  );
  serve(
    api,
    scheduledMessages.removeMedia,
    async (scope, { params }) => view(scope.actor?.companyId ?? 0, await detachFile(scope, storage, params.id)),
    noTransaction,
  );
  serve(
    api,
    scheduledMessages.remove,
    async (scope, { params }) => {
      await removeWithFile(scope, storage, params.id);
      return { message: "Schedule deleted" };
    },
    noTransaction,
  );
}
