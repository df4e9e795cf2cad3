import { z } from "zod";
import { connectionTextsOf, readChatFacts, sendAutomaticMessage, textMessage } from "#server/features/bot/index.ts";
import type { BotMedia } from "#server/features/bot/index.ts";
import { isCompanyActive } from "#server/features/companies/index.ts";
import { findOrCreateOutboundTicket } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, NewJob } from "#server/platform/ctx.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { scheduleEvent } from "./schedules.events.ts";
import { lockSchedule, saveOutcome } from "./schedules.queries.ts";
import type { ScheduleFile } from "./schedules.queries.ts";

export const SEND_TASK = "schedules.send";

/** A message that is sent later than this is marked late: the server was down at its time. */
const lateMs = 2 * 60_000;

const sendPayload = z.object({ scheduleId: z.number().int(), clientId: z.string() });

/** The job that sends a scheduled message. By its key, a change of time or text replaces the waiting job. */
export function scheduleJob(
  scheduleId: number,
  { client_id: clientId, send_at: runAt }: { readonly client_id: string; readonly send_at: Date },
): NewJob {
  return { task: SEND_TASK, payload: { scheduleId, clientId }, key: `schedule:${scheduleId}`, runAt };
}

/** A suspended company sends nothing: due messages wait, and the job runs again after this time. */
const suspendedRetryMs = 5 * 60_000;

/**
 * Job: stores a scheduled message as an outgoing message of its ticket. It is marked as sent in the same transaction, so it is
 * sent once. A schedule that was changed after the job was enqueued has another client id, and is left to its own job.
 */
export const sendScheduled: JobHandler = async (job, deps) => {
  const { scheduleId, clientId } = sendPayload.parse(job.payload);
  await deps.inCompany(async (ctx) => {
    const schedule = await lockSchedule(ctx, scheduleId);
    if (!schedule || schedule.client_id !== clientId || schedule.sent_at !== null) {
      return;
    }
    if (!(await isCompanyActive(ctx))) {
      const runAt = new Date(ctx.now().getTime() + suspendedRetryMs);
      ctx.enqueue(scheduleJob(scheduleId, { client_id: clientId, send_at: runAt }));
      return;
    }
    const error = await sendToTicket(ctx, schedule);
    const sentAt = ctx.now();
    const isLate = sentAt.getTime() - schedule.send_at.getTime() > lateMs;
    await saveOutcome(ctx, scheduleId, error === undefined ? { sent_at: sentAt, is_late: isLate } : { error });
    ctx.emit(scheduleEvent("updated", scheduleId));
  });
};

/** Returns the error code if the message cannot be sent. */
async function sendToTicket(
  ctx: Ctx,
  schedule: NonNullable<Awaited<ReturnType<typeof lockSchedule>>>,
): Promise<AppError["code"] | undefined> {
  try {
    const { contact_id: contactId, connection_id: connectionId, user_id: userId } = schedule;
    const ticket = await findOrCreateOutboundTicket(ctx, { contactId, connectionId, userId });
    const chatFacts = (await readChatFacts(ctx, [ticket.id])).get(ticket.id);
    // The agent in its text is who wrote it, not who serves the conversation by then.
    const facts = chatFacts && { ...chatFacts, userName: schedule.user_name ?? chatFacts.userName };
    const { language } = await connectionTextsOf(ctx, ticket.connectionId);
    const messages = [{ ...textMessage(schedule.body), media: mediaOf(schedule) }];
    const sender = { clientId: schedule.client_id, writtenBy: userId, priority: "notice" } as const;
    const wasSent = await sendAutomaticMessage(ctx, { facts, language, messages, ...sender });
    return wasSent ? undefined : "ERR_CONTACT_BLOCKED";
  } catch (error) {
    if (error instanceof AppError) {
      return error.code;
    }
    throw error;
  }
}

/** The message refers to the file of the schedule: files are immutable, so nothing is copied. */
function mediaOf({ media_path: path, media_name, media_type, media_size }: ScheduleFile): BotMedia | null {
  return path === null
    ? null
    : { path, name: media_name ?? "", type: media_type ?? "application/octet-stream", size: media_size ?? 0 };
}
