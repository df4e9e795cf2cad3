import { z } from "zod";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import type { NewJob } from "#server/platform/ctx.ts";
import { NoRetry } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findAccount } from "./auth.queries.ts";

export const RECORD_REFUSED_TASK = "auth.record-refused-sign-in";

const refusedSignIn = z.object({
  email: z.string(),
  reason: z.string(),
  address: z.string(),
  userAgent: z.string(),
  at: z.iso.datetime(),
});

/** For a sign-in that was refused; a job, so that the answer takes as long with an account as without. */
export function refusedSignInJob(payload: z.input<typeof refusedSignIn>): NewJob {
  return { task: RECORD_REFUSED_TASK, payload, priority: "bulk" };
}

/** Records a refused sign-in in the log of the account's company; where there is no account, nowhere. */
export function recordRefusedSignIn({ db }: Services): JobHandler {
  return async ({ payload }) => {
    const parsed = refusedSignIn.safeParse(payload);
    if (!parsed.success) {
      throw new NoRetry("Invalid job payload");
    }
    const { email, reason, address, userAgent, at } = parsed.data;
    const account = await findAccount(db, email);
    if (account) {
      const scope = {
        companyId: account.company_id,
        now: new Date(at),
        actor: { kind: "guest" },
        origin: { address, userAgent },
      } as const;
      const target = { type: "user", id: account.id, name: account.name } as const;
      await db.systemTx((tx) => recordAuditOf(tx, scope, { action: "session.refused", target, details: { reason } }));
    }
  };
}
