import type { Ctx } from "#server/platform/ctx.ts";
import { takeSharedTokens } from "#server/platform/http/index.ts";
import { sendSealedMail } from "#server/platform/mail/index.ts";
import type { Mail } from "#server/platform/mail/index.ts";
import type { Services } from "#server/platform/services.ts";

/** Mails of a company's invitations: more than a team needs, too few to flood strangers. */
const mailRate = { max: 40, perSeconds: 3_600 };

/** Whether and how the link of an invitation is mailed. */
export interface MailInvitation {
  /** True where the link of this invitation may be mailed; counts it then, so it is asked once for each link that is made. */
  take(): Promise<boolean>;
  urlOf(token: string): string;
  send(ctx: Ctx, mail: Mail): void;
}

/**
 * Mails leave only over a mail server: a link in the outbox folder would reach nobody but whoever reads that folder. The
 * job keeps the text sealed, because who has the link has the account.
 */
export function mailInvitation(services: Services, companyId: number): MailInvitation {
  const { config, vault, publicUrl } = services;
  return {
    take: async () =>
      config.mail.smtpUrl !== undefined && takeSharedTokens(services, `mail:invitations:${companyId}`, mailRate),
    urlOf: (token) => `${publicUrl()}/convite/${token}`,
    send: (ctx, mail) => sendSealedMail(ctx, vault, mail),
  };
}
