import { z } from "zod";
import type { Ctx } from "../ctx.ts";
import type { JobHandler } from "../jobs/index.ts";

export const mail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
});
export type Mail = z.output<typeof mail>;

/** Transport of mails: SMTP or a folder. */
export interface MailTransport {
  /** `id` is the same in each attempt, so that a mail server can drop duplicates. */
  send(mail: Mail, id: string): Promise<void>;
  /** Signs in to the mail server; throws the reason of a failure. */
  check(): Promise<void>;
  close(): void;
}

export const mailTask = "mail.send";

/** Sends a mail after this transaction has committed, with retries. */
export function sendMail(ctx: Pick<Ctx, "enqueue">, message: Mail): void {
  ctx.enqueue({ task: mailTask, payload: message });
}

export function mailTasks(transport: MailTransport): Readonly<Record<string, JobHandler>> {
  return {
    [mailTask]: (job) => transport.send(mail.parse(job.payload), `job-${job.id}`),
  };
}
