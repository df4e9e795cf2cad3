import { z } from "zod";
import type { Vault } from "../auth/index.ts";
import type { Ctx } from "../ctx.ts";
import type { JobHandler } from "../jobs/index.ts";

export const mail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
});
export type Mail = z.output<typeof mail>;

/** Transport of mails: SMTP or a folder. */
export interface MailTransport {
  /** `id` is the same in each attempt, so that a mail server can drop duplicates. Throws NoRetry where the server refused this mail for good. */
  send(mail: Mail, id: string): Promise<void>;
  /** Signs in to the mail server; throws the reason of a failure. */
  check(): Promise<void>;
  close(): void;
}

export const mailTask = "mail.send";
/** About an hour: a mail server that restarts, or is away for a while, must lose no invitation. */
const maxAttempts = 12;

/** Sends a mail after this transaction has committed, with retries. */
export function sendMail(ctx: Pick<Ctx, "enqueue">, message: Mail): void {
  ctx.enqueue({ task: mailTask, payload: message, maxAttempts });
}

const sealedMail = mail.pick({ to: true, subject: true }).extend({ sealed: z.string() });

/** The same for a mail with a secret, such as a link that signs in: its text is encrypted for as long as the job is kept. */
export function sendSealedMail(ctx: Pick<Ctx, "enqueue">, vault: Vault, { to, subject, text }: Mail): void {
  const payload: z.input<typeof sealedMail> = { to, subject, sealed: vault.sealText(text, sealContext) };
  ctx.enqueue({ task: mailTask, payload, maxAttempts });
}

const sealContext = "mail";

export function mailTasks(transport: MailTransport, vault: Vault): Readonly<Record<string, JobHandler>> {
  return {
    [mailTask]: (job) => {
      const sealed = sealedMail.safeParse(job.payload);
      const message = sealed.success
        ? { ...sealed.data, text: vault.openText(sealed.data.sealed, sealContext) }
        : job.payload;
      return transport.send(mail.parse(message), `job-${job.id}`);
    },
  };
}
