import { z } from "zod";
import { isCompanyActive } from "#server/features/companies/index.ts";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { NewJob } from "#server/platform/ctx.ts";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { Held } from "./hold.ts";
import { lockWaiting, saveFailed, saveHold, saveStored } from "./messages-api.queries.ts";
import type { ApiHold } from "./messages-api.queries.ts";
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
export function heldJob(id: string, connectionId: number, { until }: Pick<ApiHold, "until">): NewJob {
  return {
    task: SEND_HELD_TASK,
    payload: { id },
    lane: `api:${connectionId}`,
    key: `api:${id}`,
    runAt: until,
    priority: "notice",
    maxAttempts: 100,
  };
}

/** Job: stores a message that the gate held, once it lets it go. Stored and marked in one transaction, so it is sent once. */
export function sendHeld(contacts: ContactResolver): JobHandler {
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
        await inCompany((ctx) => saveHold(ctx, id, hold));
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
