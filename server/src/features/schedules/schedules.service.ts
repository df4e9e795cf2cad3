import { randomUUID } from "node:crypto";
import { pageSize } from "@prosa/contract";
import type { BodyOf, QueryOf, Schedule, scheduledMessages } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { scheduleEvent } from "./schedules.events.ts";
import { scheduleJob } from "./schedules.jobs.ts";
import { canChange, canRead, canReadAll } from "./schedules.policy.ts";
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  lockSchedule,
  checkReferences,
  saveSchedule,
  searchSchedules,
} from "./schedules.queries.ts";
import { scheduleView } from "./schedules.view.ts";

type NewSchedule = BodyOf<typeof scheduledMessages.create>;

/** A time that passed while the user was writing the form counts as now. */
const graceMs = 5 * 60_000;

/** The user's own schedules, or the company's for those who may read all; pending ones first (O-03). */
export async function listSchedules(ctx: Ctx, query: QueryOf<typeof scheduledMessages.list>) {
  const userId = ctx.actor.kind !== "user" || canReadAll(ctx.actor) ? null : ctx.actor.userId;
  const { rows, count } = await searchSchedules(ctx, { ...query, userId });
  return { schedules: rows.map(scheduleView), count, hasMore: query.pageNumber * pageSize.others < count };
}

/** ERR_NOT_FOUND, or ERR_NO_PERMISSION for another user's. */
export async function getSchedule(ctx: Ctx, id: number): Promise<Schedule> {
  const row = await findSchedule(ctx, id);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { scheduleId: id });
  }
  if (!canRead(ctx.actor, row)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return scheduleView(row);
}

/** Schedules a message (T-19, O-03). ERR_VALIDATION for a time in the past. */
export async function createSchedule(ctx: Ctx, body: NewSchedule): Promise<Schedule> {
  const fields = await fieldsOf(ctx, body);
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const id = await insertSchedule(ctx, userId, fields);
  ctx.enqueue(scheduleJob(id, fields));
  ctx.emit(scheduleEvent("created", id));
  return getSchedule(ctx, id);
}

/** ERR_EDIT_TOO_LATE after it was sent. A failed one is sent again at its new time. */
export async function updateSchedule(
  ctx: Ctx,
  id: number,
  changes: BodyOf<typeof scheduledMessages.update>,
): Promise<Schedule> {
  const stored = await lockChangeable(ctx, id);
  if (stored.sent_at !== null) {
    throw new AppError("ERR_EDIT_TOO_LATE");
  }
  const { body = stored.body, contactId = stored.contact_id, whatsappId = stored.connection_id } = changes;
  const fields = await fieldsOf(ctx, {
    body,
    contactId,
    whatsappId,
    sendAt: changes.sendAt ?? stored.send_at.toISOString(),
  });
  await saveSchedule(ctx, id, fields);
  ctx.enqueue(scheduleJob(id, fields));
  ctx.emit(scheduleEvent("updated", id));
  return getSchedule(ctx, id);
}

/** A pending one is not sent any more; a sent message stays in its conversation. */
export async function removeSchedule(ctx: Ctx, id: number): Promise<void> {
  await lockChangeable(ctx, id);
  await deleteSchedule(ctx, id);
  ctx.emit(scheduleEvent("deleted", id));
}

async function lockChangeable(ctx: Ctx, id: number) {
  const row = await lockSchedule(ctx, id);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { scheduleId: id });
  }
  if (!canChange(ctx.actor, { userId: row.user_id })) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return row;
}

async function fieldsOf(ctx: Ctx, { body, contactId, whatsappId, sendAt }: NewSchedule) {
  const at = new Date(sendAt);
  if (at.getTime() < ctx.now().getTime() - graceMs) {
    throw new AppError("ERR_VALIDATION", { fields: { sendAt: "In the past" } });
  }
  const exists = await checkReferences(ctx, contactId, whatsappId);
  if (!exists.hasContact) {
    throw new AppError("ERR_NO_CONTACT_FOUND");
  }
  if (!exists.hasConnection) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  return { body, contact_id: contactId, connection_id: whatsappId, send_at: at, client_id: `schedule-${randomUUID()}` };
}
