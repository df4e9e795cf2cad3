import type { Language } from "@prosa/contract/i18n";
import { hashSecret, newSecret } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { enforceSharedLimit, returnSharedTokens, takeSharedTokens } from "#server/platform/http/index.ts";
import { sendSealedMail } from "#server/platform/mail/index.ts";
import { addressBlock } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { deleteConfirmation, saveConfirmation, takeConfirmation } from "./confirm-email.queries.ts";
import { confirmationMail } from "./confirmation-mail.ts";

/** How long a link works; signing in sends another. */
const linkHours = 48;
/** Links to one person by their sign-ins. */
const reminderRate = { max: 1, perSeconds: 300 };
/** Links that are refused, by address. */
const refusedRate = { max: 30, perSeconds: 60 };

interface Unconfirmed {
  readonly id: number;
  readonly company_id: number;
  readonly name: string;
  readonly email: string;
  readonly language: Language;
}

/**
 * Whether e-mails are confirmed here: only over a mail server, because a link in the outbox folder would reach nobody.
 */
function isAsked({ config }: Pick<Services, "config">): boolean {
  return config.mail.smtpUrl !== undefined;
}

/** Mails the link of a new account, in the transaction that creates it; false where no mail server is set (decision 0206). */
export async function askToConfirm(services: Services, tx: SystemTx, account: Unconfirmed): Promise<boolean> {
  if (!isAsked(services)) {
    return false;
  }
  await mailLink(services, tx, account);
  return true;
}

/**
 * At a sign-in with the right password: throws ERR_EMAIL_NOT_CONFIRMED where the e-mail has still to be confirmed, and mails
 * another link, at most one in five minutes.
 */
export async function remindToConfirm(services: Services, account: Unconfirmed): Promise<void> {
  if (!isAsked(services)) {
    return;
  }
  if (await takeSharedTokens(services, `mail:confirm:${account.id}`, reminderRate)) {
    await services.db.systemTx((tx) => mailLink(services, tx, account));
  }
  throw new AppError("ERR_EMAIL_NOT_CONFIRMED");
}

/** Confirms by the link of a mail. Throws ERR_CONFIRMATION_LINK for one that is forged, used or expired, ERR_TOO_MANY_REQUESTS. */
export async function confirmEmail(services: Services, token: string, address: string): Promise<void> {
  const { db, clock } = services;
  const key = `confirm-email:${addressBlock(address)}`;
  await enforceSharedLimit(services, key, refusedRate);
  if (!(await db.systemTx((tx) => takeConfirmation(tx, hashSecret(token), clock.now())))) {
    throw new AppError("ERR_CONFIRMATION_LINK");
  }
  await returnSharedTokens(services, { returned: [{ key, rate: refusedRate }], reset: [] });
}

/** Somebody proved otherwise that the mailbox is theirs, or the operator vouches for them. */
export async function noteEmailConfirmed(tx: SystemTx, userId: number): Promise<void> {
  await deleteConfirmation(tx, userId);
}

async function mailLink({ clock, vault, publicUrl }: Services, tx: SystemTx, account: Unconfirmed): Promise<void> {
  const token = newSecret();
  const now = clock.now();
  await saveConfirmation(tx, account, {
    token_hash: hashSecret(token),
    created_at: now,
    expires_at: new Date(now.getTime() + linkHours * 3_600_000),
  });
  const mail = confirmationMail(account, `${publicUrl()}/signup?confirm=${token}`);
  sendSealedMail({ enqueue: (job) => tx.enqueue(account.company_id, job) }, vault, mail);
}
