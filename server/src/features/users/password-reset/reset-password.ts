import { resetCodeMinutes } from "@prosa/contract";
import type { PasswordReset } from "@prosa/contract";
import { endEverySessionOf, noteEmailConfirmed } from "#server/features/auth/index.ts";
import type { Caller } from "#server/features/auth/index.ts";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import type { AuditEntry } from "#server/platform/audit/index.ts";
import { hashPassword, newTypedCode } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { enforceSharedLimit, returnSharedTokens } from "#server/platform/http/index.ts";
import { sendMail, sendSealedMail } from "#server/platform/mail/index.ts";
import { addressBlock } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { userUpdated } from "../users.events.ts";
import {
  deleteExpiredCodes,
  findResettable,
  savePassword,
  saveResetCode,
  takeResetCode,
} from "./password-reset.queries.ts";
import { hashResetCode } from "./reset-code.ts";
import { passwordChangedMail, resetCodeMail } from "./reset-mails.ts";

/**
 * Password reset: a code by mail, then a new password with it. Limited by address and by e-mail; what is counted does
 * not depend on whether somebody has the e-mail.
 */

/** Codes that an address may ask for: an office, but nobody who tries a list of e-mails. */
const requestsOfAddress = { max: 20, perSeconds: 3_600 };
/** Codes for one e-mail, so that nobody's mailbox is flooded. */
const requestsForEmail = { max: 3, perSeconds: 900 };
/** Wrong codes of an address. */
const wrongOfAddress = { max: 30, perSeconds: 300 };
/** Wrong codes for one e-mail from one address; from elsewhere its owner may go on. */
const wrongForEmailHere = { max: 10, perSeconds: 300 };

/** Mails a code. Throws ERR_NO_EMAIL_FOUND where nobody has the e-mail, as the specification wants, ERR_TOO_MANY_REQUESTS. */
export async function requestPasswordReset(services: Services, email: string, caller: Caller): Promise<void> {
  const { db, clock, signer, vault, publicUrl } = services;
  await enforceSharedLimit(services, `reset-request:${addressBlock(caller.address)}`, requestsOfAddress);
  await enforceSharedLimit(services, `reset-request-for:${email}`, requestsForEmail);

  await db.systemTx(async (tx) => {
    const account = await findResettable(tx, email);
    if (!account) {
      throw new AppError("ERR_NO_EMAIL_FOUND");
    }
    const code = newTypedCode();
    const now = clock.now();
    await saveResetCode(tx, account, {
      code_hash: hashResetCode(signer, account, code),
      created_at: now,
      expires_at: new Date(now.getTime() + resetCodeMinutes * 60_000),
    });
    const mail = resetCodeMail(account, code, publicUrl());
    await recordAuditOf(tx, { companyId: account.company_id, now }, auditEntry("password.reset-requested", account));
    sendSealedMail({ enqueue: (job) => tx.enqueue(account.company_id, job) }, vault, mail);
  });
}

/**
 * Sets a new password, uses the code up and ends all sessions of the user. Throws ERR_RESET_CODE for a code that is wrong,
 * used or expired and for an unknown e-mail alike, ERR_TOO_MANY_REQUESTS.
 */
export async function resetPassword(
  services: Services,
  { email, token, password }: PasswordReset,
  caller: Caller,
): Promise<void> {
  const { db, clock, signer, sessions, publicUrl } = services;
  const block = addressBlock(caller.address);
  const buckets = [
    { key: `reset:${block}`, rate: wrongOfAddress },
    { key: `reset-here:${block} ${email}`, rate: wrongForEmailHere },
  ];
  // Counted before the code is checked, so that concurrent attempts all count.
  for (const { key, rate } of buckets) {
    await enforceSharedLimit(services, key, rate);
  }
  // Before the look-up, so that the time of an answer does not tell whether there is such an account.
  const passwordHash = await hashPassword(password);

  const userId = await db.systemTx(async (tx) => {
    const now = clock.now();
    const account = await findResettable(tx, email);
    const codeHash = hashResetCode(signer, account ?? nobody, token);
    if (!(await takeResetCode(tx, account?.id ?? nobody.id, codeHash, now)) || !account) {
      throw new AppError("ERR_RESET_CODE");
    }
    await savePassword(tx, account.id, passwordHash, now);
    await endEverySessionOf(tx, account.id, now);
    await noteEmailConfirmed(tx, account.id);
    await recordAuditOf(tx, { companyId: account.company_id, now }, auditEntry("password.reset", account));
    tx.emit(account.company_id, userUpdated(account.id));
    sendMail({ enqueue: (job) => tx.enqueue(account.company_id, job) }, passwordChangedMail(account, publicUrl()));
    return account.id;
  });
  sessions.forgetUser(userId);
  await returnSharedTokens(services, { returned: buckets, reset: [] });
}

function auditEntry(
  action: AuditEntry["action"],
  { id, name }: { readonly id: number; readonly name: string },
): AuditEntry {
  return { action, target: { type: "user", id, name } };
}

/** In place of an account that does not exist: costs the same statements. */
const nobody = { id: 0, email: "", password_hash: "" };

/** Deletes codes that have expired; each night. */
export async function prunePasswordResets({ db, clock }: Services): Promise<void> {
  await db.systemTx((tx) => deleteExpiredCodes(tx, clock.now()));
}
