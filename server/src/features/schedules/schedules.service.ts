import { randomUUID } from "node:crypto";
import type { BodyOf, QueryOf, scheduledMessages } from "@prosa/contract";
import { retryMessage } from "#server/features/messages/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findRequested } from "#server/platform/db/index.ts";
import { scheduleEvent } from "./schedules.events.ts";
import { scheduleJob } from "./schedules.jobs.ts";
import { canChange, canRead, canReadAll } from "./schedules.policy.ts";
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  lockSchedule,
  checkReferences,
  notHeld,
  saveSchedule,
  searchSchedules,
} from "./schedules.queries.ts";
import type { ScheduleFields, ScheduleFile, ScheduleRow } from "./schedules.queries.ts";
import { findFailedMessages } from "./schedules.related.queries.ts";

type NewSchedule = BodyOf<typeof scheduledMessages.create>;

/** A time that passed while the user was writing the form counts as now. */
const graceMs = 5 * 60_000;

/** The user's own schedules, or the company's for those who may read all (O-03). */
export async function listSchedules(ctx: Ctx, query: QueryOf<typeof scheduledMessages.list>) {
  const userId = ctx.actor.kind !== "user" || canReadAll(ctx.actor) ? null : ctx.actor.userId;
  return searchSchedules(ctx, { ...query, userId });
}

/** ERR_NOT_FOUND, or ERR_NO_PERMISSION for another user's. */
export async function getSchedule(ctx: Ctx, id: number): Promise<ScheduleRow> {
  const row = await findSchedule(ctx, id);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { scheduleId: id });
  }
  if (!canRead(ctx.actor, row)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return row;
}

/**
 * Schedules a message (T-19, O-03). Returns the first one for a request that is sent again. ERR_VALIDATION for a time in the
 * past.
 */
export async function createSchedule(ctx: Ctx, body: NewSchedule, file: ScheduleFile): Promise<ScheduleRow> {
  const requestId = body.clientId ?? null;
  const known = await findRequested(ctx, "schedules", requestId);
  if (known !== undefined) {
    return getSchedule(ctx, known);
  }
  const sendAt = new Date(body.sendAt);
  mustNotBePast(ctx, sendAt);
  const fields = await fieldsOf(ctx, body, sendAt);
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  const id = await insertSchedule(ctx, userId, { ...fields, ...file, request_id: requestId });
  if (id === undefined) {
    // The same request, which another process handled meanwhile.
    return getSchedule(ctx, (await findRequested(ctx, "schedules", requestId)) ?? 0);
  }
  ctx.enqueue(scheduleJob(id, fields));
  ctx.emit(scheduleEvent("created", id));
  return getSchedule(ctx, id);
}

/**
 * ERR_EDIT_TOO_LATE after it was sent. A failed one is sent again at its new time. One that keeps its time may be due, and held:
 * the gate is asked again, and until it answers the hold stays.
 */
export async function updateSchedule(
  ctx: Ctx,
  id: number,
  changes: BodyOf<typeof scheduledMessages.update>,
): Promise<ScheduleRow> {
  const stored = await lockUnsent(ctx, id);
  const { body = stored.body, contactId = stored.contact_id, whatsappId = stored.connection_id } = changes;
  const sendAt = changes.sendAt === undefined ? stored.send_at : new Date(changes.sendAt);
  const keepsTime = stored.error === null && sendAt.getTime() === stored.send_at.getTime();
  if (!keepsTime) {
    mustNotBePast(ctx, sendAt);
  }
  const fields = await fieldsOf(ctx, { body, contactId, whatsappId }, sendAt);
  await saveSchedule(ctx, id, { ...fields, ...(keepsTime ? {} : notHeld) });
  ctx.enqueue(scheduleJob(id, fields));
  ctx.emit(scheduleEvent("updated", id));
  return getSchedule(ctx, id);
}

/**
 * Sends a failed one now (behaviour 7). What failed on its way to WhatsApp is the same message again, under the same ids.
 * Does nothing for one that waits or was sent.
 */
export async function retrySchedule(ctx: Ctx, id: number): Promise<ScheduleRow> {
  const stored = await lockChangeable(ctx, id);
  if (stored.sent_at !== null) {
    await retryMessages(ctx, stored.client_id);
  } else if (stored.error !== null) {
    const { contact_id, connection_id, body } = stored;
    const fields = { contact_id, connection_id, body, send_at: ctx.now(), client_id: newClientId() };
    await saveSchedule(ctx, id, { ...fields, ...notHeld });
    ctx.enqueue(scheduleJob(id, fields));
  }
  ctx.emit(scheduleEvent("updated", id));
  return getSchedule(ctx, id);
}

/** The conversation may belong to somebody else by now, so the product retries in the name of the author. */
async function retryMessages(ctx: Ctx, clientId: string): Promise<void> {
  const systemCtx: Ctx = { ...ctx, actor: { kind: "system", companyId: ctx.companyId, reason: "schedule" } };
  for (const messageId of await findFailedMessages(ctx, clientId)) {
    await retryMessage(systemCtx, messageId);
  }
}

/** A pending one is not sent any more; a sent message stays in its conversation. Returns the key of its file. */
export async function removeSchedule(ctx: Ctx, id: number): Promise<string | null> {
  const { media_path: file } = await lockChangeable(ctx, id);
  await deleteSchedule(ctx, id);
  ctx.emit(scheduleEvent("deleted", id));
  return file;
}

/** Locks one that may be changed still. ERR_EDIT_TOO_LATE after it was sent. */
export async function lockUnsent(ctx: Ctx, id: number): Promise<LockedSchedule> {
  const stored = await lockChangeable(ctx, id);
  if (stored.sent_at !== null) {
    throw new AppError("ERR_EDIT_TOO_LATE");
  }
  return stored;
}

type LockedSchedule = NonNullable<Awaited<ReturnType<typeof lockSchedule>>>;

async function lockChangeable(ctx: Ctx, id: number): Promise<LockedSchedule> {
  const row = await lockSchedule(ctx, id);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { scheduleId: id });
  }
  if (!canChange(ctx.actor, { userId: row.user_id })) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return row;
}

function mustNotBePast(ctx: Ctx, sendAt: Date): void {
  if (sendAt.getTime() < ctx.now().getTime() - graceMs) {
    throw new AppError("ERR_VALIDATION", { fields: { sendAt: "In the past" } });
  }
}

async function fieldsOf(
  ctx: Ctx,
  { body, contactId, whatsappId }: Omit<NewSchedule, "sendAt">,
  sendAt: Date,
): Promise<ScheduleFields> {
  const exists = await checkReferences(ctx, contactId, whatsappId);
  if (!exists.hasContact) {
    throw new AppError("ERR_NO_CONTACT_FOUND");
  }
  if (!exists.hasConnection) {
    throw new AppError("ERR_NO_WAPP_FOUND");
  }
  return { body, contact_id: contactId, connection_id: whatsappId, send_at: sendAt, client_id: newClientId() };
}

/** The messages of a schedule are recognised by it (`findIdsOfMessages`). */
function newClientId(): string {
  return `schedule-${randomUUID()}`;
}
