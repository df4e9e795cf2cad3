import { z } from "zod";
import { AppError } from "#server/platform/ctx.ts";
import type { NewJob } from "#server/platform/ctx.ts";
import { completeWithin, renamedTask } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { SendCustomerNotice } from "../customer-notice-port.ts";
import { lockTicket } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";
import { hasWrittenSince, lockBulkForShare } from "./bulk.queries.ts";

export const BULK_NOTICE_TASK = renamedTask("tickets.customer-notice", {
  formerName: "tickets.bulk-courtesy",
  since: "0.2.0",
});

/** Customer notice of one ticket of a bulk: a job that is due at the undo deadline (`runAt`). */
export function bulkNoticeJob(notice: {
  readonly bulkId: string;
  readonly verb: "accept" | "resolve" | "transfer";
  readonly before: TicketRow;
  readonly after: TicketRow;
  readonly at: Date;
  readonly runAt: Date;
}): NewJob {
  const { bulkId, verb, before, after, at, runAt } = notice;
  const payload = {
    bulkId,
    verb,
    ticketId: after.id,
    from: { userId: before.userId, queueId: before.queueId },
    to: { status: after.status, userId: after.userId, queueId: after.queueId, episodeId: after.episodeId },
    at: at.toISOString(),
  };
  const key = `courtesy:${bulkId}:${after.id}`;
  return { task: BULK_NOTICE_TASK.enqueuedAs, payload, key, runAt, priority: "bulk" };
}

/**
 * Sends the notice once, unless the bulk was undone or the ticket changed since: no farewell to a contact who wrote again,
 * no introduction of an agent who has written already.
 */
export function sendBulkNotice(sendCustomerNotice: SendCustomerNotice): JobHandler {
  return async (job, deps) => {
    const { bulkId, ticketId, verb, from, to, at } = bulkNotice.parse(job.payload);
    await deps.inCompany(async (ctx) => {
      await completeWithin(ctx, job);
      // The lock order of `undoBulk`: the bulk, then its tickets.
      const bulk = await lockBulkForShare(ctx, bulkId);
      const ticket = bulk === "undone" ? undefined : await lockTicket(ctx, ticketId).catch(undefinedIfDeleted);
      if (!ticket || !isUnchanged(ticket, to)) {
        return;
      }
      const introduced = verb === "resolve" ? null : to.userId;
      if (introduced !== null && (await hasWrittenSince(ctx, ticketId, introduced, new Date(at)))) {
        return;
      }
      await sendCustomerNotice(ctx, { verb, before: { ...ticket, ...from }, after: ticket }, job.priority);
    });
  };
}

function isUnchanged(ticket: TicketRow, to: z.output<typeof bulkNotice>["to"]): boolean {
  return (
    ticket.status === to.status &&
    ticket.userId === to.userId &&
    ticket.queueId === to.queueId &&
    ticket.episodeId === to.episodeId
  );
}

function undefinedIfDeleted(error: unknown): undefined {
  if (error instanceof AppError && error.code === "ERR_NO_TICKET_FOUND") {
    return undefined;
  }
  throw error;
}

const assignment = { userId: z.number().nullable(), queueId: z.number().nullable() };
const bulkNotice = z.object({
  bulkId: z.string(),
  verb: z.enum(["accept", "resolve", "transfer"]),
  ticketId: z.number(),
  from: z.object(assignment),
  to: z.object({ ...assignment, status: z.enum(["pending", "open", "closed"]), episodeId: z.number().nullable() }),
  at: z.string(),
});
