import { matchNumber } from "@prosa/contract";
import { z } from "zod";
import { isCompanyActive } from "#server/features/companies/index.ts";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, NewJob } from "#server/platform/ctx.ts";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { Held } from "./hold.ts";
import { findWaitingReplies, lockWaiting, saveFailed, saveHold, saveStored } from "./messages-api.queries.ts";
import type { ApiHold, WaitingRequest, WhoseReplies } from "./messages-api.queries.ts";
import { storeMessage } from "./store-message.ts";

export const SEND_HELD_TASK = "messages-api.send-held";

/** A message that waits asks the gate again after this time at the latest (ms): a limit may have ended, a cap been raised. */
const lookAgainMs = 60_000;
const suspendedRetryMs = 5 * 60_000;

const payload = z.object({ id: z.uuid() });

/**
 * The job of a message that the gate holds. All of a line wait behind each other, because each starts a conversation: they go
 * out in the order in which they came, and only the first asks the gate.
 */
export function heldJob({ id, connectionId }: WaitingRequest, { until }: Pick<ApiHold, "until">, now: Date): NewJob {
  const runAt = new Date(Math.min(until.getTime(), now.getTime() + lookAgainMs));
  return { ...sendJob(id, `api:${connectionId}`), runAt };
}

/**
 * Moves what is a reply by now out of the line's lane into one of the person's own, in its order: a reply is never held, so it
 * does not wait behind somebody whom the gate holds. What starts a conversation stays, so that however many wait, one asks the
 * gate. By its key the waiting job changes its lane, which all spellings of a number share.
 */
export async function enqueueReplies(ctx: Ctx, connectionId: number, whose: WhoseReplies): Promise<void> {
  for (const { id, number } of await findWaitingReplies(ctx, connectionId, whose)) {
    ctx.enqueue(sendJob(id, `api:${connectionId}:${matchNumber(number)}`));
  }
}

function sendJob(id: string, lane: string): NewJob {
  return { task: SEND_HELD_TASK, payload: { id }, lane, key: `api:${id}`, priority: "notice", maxAttempts: 100 };
}

/**
 * Job: stores a message that the gate held, once it lets it go. Stored and marked in one transaction, so it is sent once. While
 * it waits, it looks now and then who behind it in the lane has written in.
 */
export function sendHeld(contacts: ContactResolver): JobHandler {
  /** When this process looked last for replies of a connection: a pace may hold each second, and thousands may wait. */
  const lookedAt = new Map<number, number>();
  return async (job, { inCompany, clock }) => {
    const { id } = payload.parse(job.payload);
    if (!(await inCompany(isCompanyActive))) {
      throw new RetryLater(suspendedRetryMs, "the company is suspended");
    }
    try {
      await inCompany(async (ctx) => {
        const request = await lockWaiting(ctx, id);
        if (request) {
          await saveStored(ctx, id, await storeMessage(ctx, contacts, request));
        }
      });
    } catch (error) {
      if (error instanceof Held) {
        const { hold } = error;
        await inCompany(async (ctx) => {
          const held = await saveHold(ctx, id, hold);
          const now = ctx.now().getTime();
          if (held && now - (lookedAt.get(held.connectionId) ?? 0) >= lookAgainMs) {
            lookedAt.set(held.connectionId, now);
            // Not its own number: while this job runs, its key is free, and it would be enqueued behind those after it.
            await enqueueReplies(ctx, held.connectionId, { except: held.number });
          }
        });
        const waitMs = Math.max(1, hold.until.getTime() - clock.now().getTime());
        throw new RetryLater(Math.min(waitMs, lookAgainMs), `held: ${hold.reason}`);
      }
      if (error instanceof AppError) {
        const { code } = error;
        await inCompany((ctx) => saveFailed(ctx, id, code));
        return;
      }
      throw error;
    }
  };
}
