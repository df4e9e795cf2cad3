import type { HoldReason } from "@prosa/contract";
import { z } from "zod";
import { connectionTextsOf, readChatFacts, sendAutomaticMessage, textMessage } from "#server/features/bot/index.ts";
import type { BotMedia } from "#server/features/bot/index.ts";
import { isCompanyActive } from "#server/features/companies/index.ts";
import { planOf } from "#server/features/plans/index.ts";
import { admit } from "#server/features/sending/index.ts";
import type { Admission } from "#server/features/sending/index.ts";
import { findOrCreateOutboundTicket, lockTicket } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, NewJob } from "#server/platform/ctx.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { scheduleEvent } from "./schedules.events.ts";
import { countBefore, endHolds, lockSchedule, saveHold, saveOutcome } from "./schedules.queries.ts";
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

/** A company that is suspended, or whose plan has lost them, sends nothing: due messages wait, and the job runs again after this time. */
const suspendedRetryMs = 5 * 60_000;

/** What waits for the line's pace asks again after this time at the latest: those before it may be deleted, the pace be raised. */
const paceRetryMs = 5 * 60_000;

type Hold = Extract<Admission, { readonly kind: "hold" }>;

/** Rolls back what was prepared for a message that must wait: a ticket that nothing is said on yet. */
class Held extends Error {
  readonly hold: Hold;
  readonly connectionId: number;

  constructor(hold: Hold, connectionId: number) {
    super(`held: ${hold.reason}`);
    this.hold = hold;
    this.connectionId = connectionId;
  }
}

/**
 * Job: stores a scheduled message as an outgoing message of its ticket. It is marked as sent in the same transaction, so it is
 * sent once. A schedule that was changed after the job was enqueued has another client id, and is left to its own job. One that
 * the sending gate holds stays pending with the reason, and is due again at the time that the gate says (P-03). What is held or
 * refused is written down in a transaction of its own: the first may have created a ticket, on which nothing is said now.
 */
export const sendScheduled: JobHandler = async (job, deps) => {
  const sending = sendPayload.parse(job.payload);
  try {
    await deps.inCompany((ctx) => send(ctx, sending));
  } catch (error) {
    if (error instanceof Held) {
      const held = error;
      await deps.inCompany((ctx) => wait(ctx, sending, held));
    } else if (error instanceof AppError) {
      const { code } = error;
      await deps.inCompany((ctx) => fail(ctx, sending, code));
    } else {
      throw error;
    }
  }
};

type Sending = z.output<typeof sendPayload>;

async function lockDue(ctx: Ctx, { scheduleId, clientId }: Sending) {
  const schedule = await lockSchedule(ctx, scheduleId);
  return schedule?.client_id === clientId && schedule.sent_at === null ? schedule : undefined;
}

async function wait(ctx: Ctx, sending: Sending, { hold, connectionId }: Held): Promise<void> {
  const { reason, until, gapMs } = hold;
  const schedule = await lockDue(ctx, sending);
  if (!schedule) {
    return;
  }
  let askAt = until;
  if (gapMs !== undefined) {
    // Of many at one minute each has its place: if all asked again at the line's next slot, all but one would in vain.
    const turn = until.getTime() + (await countBefore(ctx, schedule, connectionId)) * gapMs;
    askAt = new Date(Math.min(turn, ctx.now().getTime() + paceRetryMs));
  }
  ctx.enqueue(scheduleJob(schedule.id, { client_id: schedule.client_id, send_at: askAt }));
  // The gap between two of the line is mostly over in seconds: nobody needs to read of it.
  if (reason !== "pace") {
    await saveHold(ctx, schedule.id, reason, until);
    ctx.emit(scheduleEvent("updated", schedule.id));
  }
}

async function fail(ctx: Ctx, sending: Sending, error: AppError["code"]): Promise<void> {
  const schedule = await lockDue(ctx, sending);
  if (schedule) {
    await saveOutcome(ctx, schedule.id, { error });
    ctx.emit(scheduleEvent("updated", schedule.id));
  }
}

/** What was held for one of these reasons is due now: the limit or the rule has changed, and the gate says whether it is over. */
export async function wakeHeldSchedules(ctx: Ctx, reasons: readonly HoldReason[]): Promise<void> {
  for (const { id, client_id } of await endHolds(ctx, reasons)) {
    ctx.enqueue(scheduleJob(id, { client_id, send_at: ctx.now() }));
  }
}

async function send(ctx: Ctx, sending: Sending): Promise<void> {
  const schedule = await lockDue(ctx, sending);
  if (!schedule) {
    return;
  }
  const { id: scheduleId, client_id: clientId } = schedule;
  const plan = await planOf(ctx);
  if (!(await isCompanyActive(ctx)) || !(plan?.useSchedules ?? true)) {
    const runAt = new Date(ctx.now().getTime() + suspendedRetryMs);
    ctx.enqueue(scheduleJob(scheduleId, { client_id: clientId, send_at: runAt }));
    return;
  }
  await sendToTicket(ctx, schedule);
  const sentAt = ctx.now();
  const isLate = schedule.held_reason === null && sentAt.getTime() - schedule.send_at.getTime() > lateMs;
  await saveOutcome(ctx, scheduleId, { sent_at: sentAt, is_late: isLate });
  ctx.emit(scheduleEvent("updated", scheduleId));
}

/** Throws Held, and an AppError with the reason where the message cannot be sent. */
async function sendToTicket(ctx: Ctx, schedule: NonNullable<Awaited<ReturnType<typeof lockSchedule>>>): Promise<void> {
  const { contact_id: contactId, connection_id: connectionId, user_id: userId } = schedule;
  const ticket = await findOrCreateOutboundTicket(ctx, { contactId, connectionId, userId });
  await lockTicket(ctx, ticket.id);
  const admission = await admit(ctx, {
    contactId,
    connectionId: ticket.connectionId,
    ticketId: ticket.id,
    purpose: "schedule",
  });
  if (admission.kind === "hold") {
    throw new Held(admission, ticket.connectionId);
  }
  if (admission.kind === "refuse") {
    throw new AppError(admission.reason === "optedOut" ? "ERR_CONTACT_OPTED_OUT" : "ERR_CONTACT_BLOCKED");
  }
  const chatFacts = (await readChatFacts(ctx, [ticket.id])).get(ticket.id);
  // The agent in its text is who wrote it, not who serves the conversation by then.
  const facts = chatFacts && { ...chatFacts, userName: schedule.user_name ?? chatFacts.userName };
  const { language } = await connectionTextsOf(ctx, ticket.connectionId);
  const messages = [{ ...textMessage(schedule.body), media: mediaOf(schedule) }];
  const sender = { clientId: schedule.client_id, writtenBy: userId, priority: "notice" } as const;
  if (!(await sendAutomaticMessage(ctx, { facts, language, messages, ...sender }))) {
    throw new AppError("ERR_CONTACT_BLOCKED");
  }
}

/** The message refers to the file of the schedule: files are immutable, so nothing is copied. */
function mediaOf({ media_path: path, media_name, media_type, media_size }: ScheduleFile): BotMedia | null {
  return path === null
    ? null
    : { path, name: media_name ?? "", type: media_type ?? "application/octet-stream", size: media_size ?? 0 };
}
