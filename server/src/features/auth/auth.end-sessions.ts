import { z } from "zod";
import { NoRetry } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { endEverySessionOf } from "./auth.service.ts";

/**
 * The release before 0.2 ended the sessions of a new password by this job; now the transaction that saves it does. One
 * that it left in the queue still ends them. Nobody enqueues it any more: it goes with 0.3.
 */
export const END_SESSIONS_TASK = "auth.end-sessions";

const endPayload = z.object({ userId: z.number(), except: z.string().nullable().default(null) });

export function endSessionsOfFormerRelease({ db, clock }: Services): JobHandler {
  return async ({ payload }) => {
    const parsed = endPayload.safeParse(payload);
    if (!parsed.success) {
      throw new NoRetry("Invalid job payload");
    }
    const { userId, except } = parsed.data;
    await db.systemTx((tx) => endEverySessionOf(tx, userId, clock.now(), except));
  };
}
