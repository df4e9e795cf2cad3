import { randomUUID } from "node:crypto";
import { pageSize } from "@prosa/contract";
import type { BodyOf, QueryOf, Schedule, scheduledMessages } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { scheduleEvent } from "./schedules.events.ts";
import { scheduleJob } from "./schedules.jobs.ts";
import { canChange, canRead, readsAll } from "./schedules.policy.ts";
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  lockSchedule,
  readFacts,
  saveSchedule,
  searchSchedules,
} from "./schedules.queries.ts";
import { scheduleView } from "./schedules.view.ts";

type NewSchedule = BodyOf<typeof scheduledMessages.create>;

/** What somebody chose a minute ago, while they were writing, is still now. */
const graceMs = 5 * 60_000;

/** One's own, or the company's for an admin; what waits first (O-03). */
export async function listSchedules(ctx: Ctx, query: QueryOf<typeof scheduledMessages.list>) {
  const userId = ctx.actor.kind !== "user" || readsAll(ctx.actor) ? null : ctx.actor.userId;
  const { rows, count } = await searchSchedules(ctx, { ...query, userId });
  return { schedules: rows.map(scheduleView), count, hasMore: query.pageNumber * pageSize.others < count };
}

/** ERR_NOT_FOUND, ERR_NO_PERMISSION for somebody else's. */
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

/** A message that is sent by itself at its time (T-19, O-03). ERR_VALIDATION for a time that has passed. */
export async function createSchedule(ctx: Ctx, body: NewSchedule): Promise<Schedule> {
  const fields = await fieldsOf(ctx, body);
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const id = await insertSchedule(ctx, userId, fields);
  ctx.enqueue(scheduleJob(id, fields));
  ctx.emit(scheduleEvent("created", id));
  return getSchedule(ctx, id);
}

/** ERR_EDIT_TOO_LATE once it was sent. One that failed is tried again at the time that is set now. */
export async function updateSchedule(
  ctx: Ctx,
  id: number,
  changes: BodyOf<typeof scheduledMessages.update>,
): Promise<Schedule> {
  const known = await changeable(ctx, id);
  if (known.sent_at !== null) {
    throw new AppError("ERR_EDIT_TOO_LATE");
  }
  const { body = known.body, contactId = known.contact_id, whatsappId = known.connection_id } = changes;
  const fields = await fieldsOf(ctx, {
    body,
    contactId,
    whatsappId,
    sendAt: changes.sendAt ?? known.send_at.toISOString(),
  });
  await saveSchedule(ctx, id, fields);
  ctx.enqueue(scheduleJob(id, fields));
  ctx.emit(scheduleEvent("updated", id));
  return getSchedule(ctx, id);
}

/** What waits is not sent; what was sent stays in its conversation. */
export async function removeSchedule(ctx: Ctx, id: number): Promise<void> {
  await changeable(ctx, id);
  await deleteSchedule(ctx, id);
  ctx.emit(scheduleEvent("deleted", id));
}

async function changeable(ctx: Ctx, id: number) {
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
  const facts = await readFacts(ctx, contactId, whatsappId);
  if (!facts.hasContact) {
    throw new AppError("ERR_NO_CONTACT_FOUND");
  }
  if (!facts.hasConnection) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  return { body, contact_id: contactId, connection_id: whatsappId, send_at: at, client_id: `schedule-${randomUUID()}` };
}
