import { z } from "zod";
import { whenLimitChanges, whenRulesAreSaved } from "#server/features/sending/index.ts";
import { adminIdsOf } from "#server/features/users/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Feature } from "#server/platform/feature.ts";
import { publishRecords, recordPackets, userRoom } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { findScheduleFiles } from "./schedules.files.queries.ts";
import { SEND_TASK, sendScheduled, wakeHeldSchedules } from "./schedules.jobs.ts";
import { findSchedules } from "./schedules.queries.ts";
import { findIdsOfMessages } from "./schedules.related.queries.ts";
import { schedulesRoutes } from "./schedules.routes.ts";
import { scheduleView } from "./schedules.view.ts";
import { scheduleData } from "./erase-schedules.queries.ts";

const messagePayload = z.object({ messageId: z.number().int() });

/** The author, and the users who may read all schedules. */
async function roomsOf(ctx: Ctx) {
  const admins = (await adminIdsOf(ctx)).map(userRoom);
  return ({ userId }: { readonly userId: number | null }) => (userId === null ? admins : [userRoom(userId), ...admins]);
}

const loadViews = (media: MediaLinks) => async (ctx: Ctx, ids: readonly number[]) =>
  (await findSchedules(ctx, ids)).map((row) => scheduleView(media, ctx.companyId, row));

const publication = (media: MediaLinks) => {
  return { noun: "schedule", load: loadViews(media), recordRooms: roomsOf } as const;
};

/** A schedule shows ERRO as long as the message that was sent from it has failed. */
const publishFailures =
  (media: MediaLinks): EventHandler =>
  async (batch, tools) => {
    const messageIds = batch.map(({ payload }) => messagePayload.parse(payload).messageId);
    const ids = await tools.read((ctx) => findIdsOfMessages(ctx, messageIds));
    return recordPackets(publication(media), "update", ids, tools);
  };

export const feature: Feature = {
  name: "schedules",
  personalData: [scheduleData],
  routes: schedulesRoutes,
  tasks: () => ({ [SEND_TASK]: sendScheduled }),
  eventWatchers: (services) => ({
    ...whenLimitChanges(services, (ctx) => wakeHeldSchedules(ctx, ["limited", "capped"])),
    ...whenRulesAreSaved(services, (ctx) => wakeHeldSchedules(ctx, ["dailyCap", "warmUp"])),
  }),
  files: [{ folder: "schedules", referenced: findScheduleFiles }],
  events: ({ media }) => ({
    ...publishRecords({ ...publication(media), idField: "scheduleId" }),
    "message.failureChanged": publishFailures(media),
  }),
};
