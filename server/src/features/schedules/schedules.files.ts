import type { BodyOf, scheduledMessages } from "@prosa/contract";
import { findMessageFiles } from "#server/features/messages/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { RequestScope, Upload } from "#server/platform/http/index.ts";
import { withStoredUpload } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { scheduleEvent } from "./schedules.events.ts";
import { saveFile } from "./schedules.queries.ts";
import type { ScheduleFile, ScheduleRow } from "./schedules.queries.ts";
import { createSchedule, getSchedule, lockUnsent, removeSchedule } from "./schedules.service.ts";

const noFile: ScheduleFile = { media_path: null, media_name: null, media_type: null, media_size: null };

/** Runs `work` in a transaction, with the upload stored before it if there is one. */
async function withStoredFile<T>(
  scope: RequestScope,
  storage: Storage,
  upload: Upload | undefined,
  work: (ctx: Ctx, file: ScheduleFile) => Promise<T>,
): Promise<T> {
  const run = (file: ScheduleFile) => scope.inCompany((ctx) => work(ctx, file));
  const place = { companyId: scope.actor?.companyId ?? 0, folder: "schedules" };
  return upload ? withStoredUpload(storage, place, upload, run) : run(noFile);
}

/** Schedules a message with its file. For a request that is sent again the second file is deleted. */
export async function createWithFile(
  scope: RequestScope,
  storage: Storage,
  body: BodyOf<typeof scheduledMessages.create>,
  upload: Upload | undefined,
): Promise<ScheduleRow> {
  const { row, key } = await withStoredFile(scope, storage, upload, async (ctx, file) => ({
    row: await createSchedule(ctx, body, file),
    key: file.media_path,
  }));
  if (key !== null && row.mediaPath !== key) {
    await storage.delete(key);
  }
  return row;
}

/** Attaches a file, which replaces an earlier one. ERR_EDIT_TOO_LATE after it was sent. */
export async function attachFile(
  scope: RequestScope,
  storage: Storage,
  id: number,
  upload: Upload | undefined,
): Promise<ScheduleRow> {
  if (!upload) {
    throw new AppError("ERR_VALIDATION", { fields: { file: "Required" } });
  }
  // Check the right first: nobody may fill the disk with files for others' schedules.
  await scope.inCompany((ctx) => lockUnsent(ctx, id));
  const { before, row } = await withStoredFile(scope, storage, upload, (ctx, file) => replaceFile(ctx, id, file));
  await deleteUnlessSent(scope, storage, before);
  return row;
}

/** Takes the file off. ERR_EDIT_TOO_LATE after it was sent. */
export async function detachFile(scope: RequestScope, storage: Storage, id: number): Promise<ScheduleRow> {
  const { before, row } = await scope.inCompany((ctx) => replaceFile(ctx, id, noFile));
  await deleteUnlessSent(scope, storage, before);
  return row;
}

/** Deletes a schedule, and its file after the commit: no row ever refers to a deleted file. */
export async function removeWithFile(scope: RequestScope, storage: Storage, id: number): Promise<void> {
  await deleteUnlessSent(scope, storage, await scope.inCompany((ctx) => removeSchedule(ctx, id)));
}

async function replaceFile(ctx: Ctx, id: number, file: ScheduleFile) {
  const { media_path: before } = await lockUnsent(ctx, id);
  await saveFile(ctx, id, file);
  ctx.emit(scheduleEvent("updated", id));
  return { before, row: await getSchedule(ctx, id) };
}

/** A sent file stays with its message, which refers to the same one: it belongs to the conversation as well. */
async function deleteUnlessSent(scope: RequestScope, storage: Storage, key: string | null): Promise<void> {
  if (key !== null && (await scope.read((ctx) => findMessageFiles(ctx, [key]))).length === 0) {
    await storage.delete(key);
  }
}
