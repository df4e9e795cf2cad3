import { z } from "zod";
import type { NewJob } from "#server/platform/ctx.ts";
import { NoRetry, renamedTask } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { sendMail } from "#server/platform/mail/index.ts";
import type { Services } from "#server/platform/services.ts";
import { failedSignInsMail } from "./auth.mails.ts";
import { findAccount } from "./auth.queries.ts";

export const FAILED_SIGN_INS_TASK = renamedTask("auth.notify-failed-sign-ins", {
  formerName: "auth.tell-of-tries",
  since: "0.2.0",
});

const failedSignInsPayload = z.object({ email: z.string(), address: z.string(), at: z.iso.datetime() });

/** For an e-mail with many failed sign-ins; whether it has an account is looked up by the job. */
export function failedSignInsJob(payload: z.input<typeof failedSignInsPayload>): NewJob {
  return { task: FAILED_SIGN_INS_TASK.enqueuedAs, payload };
}

/** Mails the owner of an account, if there is one, about many failed sign-ins. */
export function notifyFailedSignIns({ db, publicUrl }: Services): JobHandler {
  return async ({ payload }) => {
    const parsed = failedSignInsPayload.safeParse(payload);
    if (!parsed.success) {
      throw new NoRetry("Invalid job payload");
    }
    const { email, address, at } = parsed.data;
    const account = await findAccount(db, email);
    if (account) {
      const mail = failedSignInsMail({ account, address, at: new Date(at), url: publicUrl() });
      await db.systemTx(async (tx) => sendMail({ enqueue: (job) => tx.enqueue(account.company_id, job) }, mail));
    }
  };
}
