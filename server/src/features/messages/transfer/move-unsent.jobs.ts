import { z } from "zod";
import { lockTickets } from "#server/features/tickets/index.ts";
import type { MoveUnsent } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { RetryLater, takeIdleLane } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { changePayload, enqueueChangeSend } from "../change/index.ts";
import { chatLane } from "../line-jobs.ts";
import { findAddress } from "../messages.queries.ts";
import { enqueueChatSend, SEND_TASK } from "../send/index.ts";
import { moveUnsentMessages } from "./move-unsent.queries.ts";

export const MOVE_UNSENT_TASK = "messages.move-unsent";
/** While the former line tries to send, the job looks again after this time (ms). */
const lookAgainMs = 500;
const payloadSchema = z.object({ ticketId: z.number(), from: z.number() });

/** Enqueues the job that moves what the former connection has not sent. It stands in the lane of the new one, ahead of what is written next. */
export const enqueueMoveUnsent: MoveUnsent = (ctx, { ticketId, from, to }) => {
  ctx.enqueue({
    task: MOVE_UNSENT_TASK,
    payload: { ticketId, from },
    lane: chatLane(to, ticketId),
    priority: "interactive",
    maxAttempts: 100,
  });
};

/** Job: gives what a connection has not sent of a ticket to the one that the ticket is on now (decision 0271). */
export const moveUnsent: JobHandler = async (job, deps) => {
  const { ticketId, from } = payloadSchema.parse(job.payload);
  if ((await deps.inCompany((ctx) => moveToPresentConnection(ctx, ticketId, from))) === "busy") {
    throw new RetryLater(lookAgainMs, "the former line is sending");
  }
};

async function moveToPresentConnection(ctx: Ctx, ticketId: number, from: number): Promise<"busy" | "done"> {
  const [ticket] = await lockTickets(ctx, [ticketId]);
  const to = ticket?.connectionId ?? null;
  // A line that does not know where to send it would only fail it.
  if (!ticket || to === null || to === from || !(await findAddress(ctx, to, ticket.contactId))) {
    return "done";
  }
  const jobs = await takeIdleLane(ctx, chatLane(from, ticketId));
  if (jobs === "busy") {
    return "busy";
  }
  const moved = new Set(await moveUnsentMessages(ctx, { ticketId, from, to }));
  const sending = jobs.find(({ task }) => task === SEND_TASK);
  if (moved.size > 0) {
    enqueueChatSend(ctx, { connectionId: to, ticketId, priority: sending?.priority ?? "interactive" });
  }
  if (sending) {
    // For what it may have handed over: only the same line may send that again, under the same id.
    enqueueChatSend(ctx, { connectionId: from, ticketId, priority: sending.priority });
  }
  for (const { task, payload } of jobs) {
    if (task === MOVE_UNSENT_TASK) {
      enqueueMoveUnsent(ctx, { ticketId, from: payloadSchema.parse(payload).from, to });
    } else if (task !== SEND_TASK) {
      const change = changePayload.parse(payload);
      enqueueChangeSend(ctx, ticketId, { ...change, connectionId: moved.has(change.messageId) ? to : from });
    }
  }
  return "done";
}
