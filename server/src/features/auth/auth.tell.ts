import { z } from "zod";
import type { NewJob } from "#server/platform/ctx.ts";
import { NoRetry, renamedTask } from "#server/platform/jobs/index.ts";
import type { JobHandler } from "#server/platform/jobs/index.ts";
import { sendMail } from "#server/platform/mail/index.ts";
import type { Services } from "#server/platform/services.ts";
import { triesMail } from "./auth.mails.ts";
import { findAccount } from "./auth.queries.ts";

export const TELL_TASK = renamedTask("auth.notify-failed-sign-ins", {
  formerName: "auth.tell-of-tries",
  since: "0.2.0",
});

const tellPayload = z.object({ email: z.string(), address: z.string(), at: z.iso.datetime() });

/** For an e-mail that somebody tried often, of which it is not known here whether it has an account. */
export function tellJob(payload: z.input<typeof tellPayload>): NewJob {
  return { task: TELL_TASK.enqueuedAs, payload };
}

/** Tells the owner of an account, if there is one, that somebody tries passwords. */
export function tellOfTries({ db, publicUrl }: Services): JobHandler {
  return async ({ payload }) => {
    const parsed = tellPayload.safeParse(payload);
    if (!parsed.success) {
      throw new NoRetry("The payload is none of ours");
    }
    const { email, address, at } = parsed.data;
    const account = await findAccount(db, email);
    if (account) {
      const mail = triesMail({ account, address, at: new Date(at), url: publicUrl() });
      await db.systemTx(async (tx) => sendMail({ enqueue: (job) => tx.enqueue(account.company_id, job) }, mail));
    }
  };
}
