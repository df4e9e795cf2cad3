import { z } from "zod";
import { connectionTextsOf, readChatFacts, sendAutomaticMessage, textMessage } from "#server/features/bot/index.ts";
import { isSwitchedOn } from "#server/features/companies/index.ts";
import { findOrCreateOutboundTicket } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, NewJob } from "#server/platform/ctx.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { scheduleEvent } from "./schedules.events.ts";
import { lockSchedule, settleSchedule } from "./schedules.queries.ts";

export const SEND_TASK = "schedules.send";

/** Later than this is said to be late: the server was down at its time. */
const lateMs = 2 * 60_000;

const about = z.object({ scheduleId: z.number().int(), clientId: z.string() });

/** One waiting job a scheduled message: a change of its time or words replaces it. */
export function scheduleJob(
  scheduleId: number,
  { client_id: clientId, send_at: runAt }: { readonly client_id: string; readonly send_at: Date },
): NewJob {
  return { task: SEND_TASK, payload: { scheduleId, clientId }, key: `schedule:${scheduleId}`, runAt };
}

/** A company that is switched off writes to nobody: what is due waits, and is looked at again after this. */
const offMs = 5 * 60_000;

/**
 * Gives a scheduled message to its conversation, once: that it was is written in the same transaction, and the way to
 * WhatsApp from there is every message's. What was changed or deleted since this job was made is another job's, or nobody's.
 */
export const sendScheduled: JobHandler = async (job, deps) => {
  const { scheduleId, clientId } = about.parse(job.payload);
  await deps.inCompany(async (ctx) => {
    const schedule = await lockSchedule(ctx, scheduleId);
    if (!schedule || schedule.client_id !== clientId || schedule.sent_at !== null) {
      return;
    }
    if (!(await isSwitchedOn(ctx))) {
      const again = new Date(ctx.now().getTime() + offMs);
      ctx.enqueue(scheduleJob(scheduleId, { client_id: clientId, send_at: again }));
      return;
    }
    const error = await giveToConversation(ctx, schedule);
    const sentAt = ctx.now();
    const isLate = sentAt.getTime() - schedule.send_at.getTime() > lateMs;
    await settleSchedule(ctx, scheduleId, error === undefined ? { sent_at: sentAt, is_late: isLate } : { error });
    ctx.emit(scheduleEvent("updated", scheduleId));
  });
};

/** Through the one gate; returns why not. */
async function giveToConversation(
  ctx: Ctx,
  schedule: NonNullable<Awaited<ReturnType<typeof lockSchedule>>>,
): Promise<AppError["code"] | undefined> {
  try {
    const { contact_id: contactId, connection_id: connectionId, user_id: userId } = schedule;
    const ticket = await findOrCreateOutboundTicket(ctx, { contactId, connectionId, userId });
    const facts = (await readChatFacts(ctx, [ticket.id])).get(ticket.id);
    const { language } = await connectionTextsOf(ctx, ticket.connectionId);
    const messages = [textMessage(schedule.body)];
    const wasSaid = await sendAutomaticMessage(ctx, { facts, language, messages, clientId: schedule.client_id });
    return wasSaid ? undefined : "ERR_CONTACT_BLOCKED";
  } catch (error) {
    if (error instanceof AppError) {
      return error.code;
    }
    throw error;
  }
}
