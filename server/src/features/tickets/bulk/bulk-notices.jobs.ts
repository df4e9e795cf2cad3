import { z } from "zod";
import { AppError } from "#server/platform/ctx.ts";
import type { NewJob } from "#server/platform/ctx.ts";
import { completeWithin, renamedTask } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { lockBulkInShare, hasSentSince } from "./bulk.queries.ts";
import type { SendCustomerNotice } from "../tickets.customer-notice.ts";
import { lockTicket } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";

export const BULK_NOTICE_TASK = renamedTask("tickets.customer-notice", {
  formerName: "tickets.bulk-courtesy",
  since: "0.2.0",
});

/** What contacts are told of a bulk, one job a ticket: due when it cannot be taken back any more. */
export function bulkNoticeJob(told: {
  readonly bulkId: string;
  readonly verb: "accept" | "resolve" | "transfer";
  readonly before: TicketRow;
  readonly after: TicketRow;
  readonly at: Date;
  readonly runAt: Date;
}): NewJob {
  const { bulkId, verb, before, after, at, runAt } = told;
  const payload = {
    bulkId,
    verb,
    ticketId: after.id,
    from: { userId: before.userId, queueId: before.queueId },
    to: { status: after.status, userId: after.userId, queueId: after.queueId, episodeId: after.episodeId },
    at: at.toISOString(),
  };
  return { task: BULK_NOTICE_TASK.enqueuedAs, payload, key: `courtesy:${bulkId}:${after.id}`, runAt };
}

/**
 * Says it, once, unless the bulk was taken back or the ticket has gone on since: nobody bids farewell to who wrote again,
 * or introduces an agent who has written already.
 */
export function sendBulkNotice(courtesy: SendCustomerNotice): JobHandler {
  return async (job, deps) => {
    const { bulkId, ticketId, verb, from, to, at } = told.parse(job.payload);
    await deps.inCompany(async (ctx) => {
      await completeWithin(ctx, job);
      // In this order, as who takes it back does.
      const bulk = await lockBulkInShare(ctx, bulkId);
      const ticket = bulk === "undone" ? undefined : await lockTicket(ctx, ticketId).catch(unlessGone);
      if (!ticket || !isThere(ticket, to) || (verb === "accept" && (await hasSentSince(ctx, ticketId, new Date(at))))) {
        return;
      }
      await courtesy(ctx, { verb, before: { ...ticket, ...from }, after: ticket });
    });
  };
}

function isThere(ticket: TicketRow, to: z.output<typeof told>["to"]): boolean {
  return (
    ticket.status === to.status &&
    ticket.userId === to.userId &&
    ticket.queueId === to.queueId &&
    ticket.episodeId === to.episodeId
  );
}

function unlessGone(error: unknown): undefined {
  if (error instanceof AppError && error.code === "ERR_NO_TICKET_FOUND") {
    return undefined;
  }
  throw error;
}

const place = { userId: z.number().nullable(), queueId: z.number().nullable() };
const told = z.object({
  bulkId: z.string(),
  verb: z.enum(["accept", "resolve", "transfer"]),
  ticketId: z.number(),
  from: z.object(place),
  to: z.object({ ...place, status: z.enum(["pending", "open", "closed"]), episodeId: z.number().nullable() }),
  at: z.string(),
});
