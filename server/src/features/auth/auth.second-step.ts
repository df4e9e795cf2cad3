import { createHash } from "node:crypto";
import { secondStepMinutes } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Services } from "#server/platform/services.ts";
import { findAccountById } from "./auth.queries.ts";
import type { AccountRow } from "./auth.queries.ts";

/** The ticket between the steps of a sign-in: signed, and nothing is stored. */
const ticketPurpose = "second step";

/** After a right password: the error that leads to the second step; undefined where there is none. */
export function secondStepError({ signer, clock }: Services, account: AccountRow): AppError | undefined {
  if (!account.has_second_factor && !account.must_use_second_factor) {
    return undefined;
  }
  const expiresAt = new Date(clock.now().getTime() + secondStepMinutes * 60_000);
  const ticket = signer.sign(ticketPurpose, JSON.stringify([account.id, fingerprintOf(account)]), expiresAt);
  return new AppError(account.has_second_factor ? "ERR_SECOND_FACTOR" : "ERR_SECOND_FACTOR_SETUP", { ticket });
}

/** For who proved who they are without a password, as an invited person by their link. Throws as the first step of a sign-in. */
export async function requireSecondStep(services: Services, userId: number): Promise<void> {
  const account = await findAccountById(services.db, userId);
  const nextStep = account && secondStepError(services, account);
  if (nextStep) {
    throw nextStep;
  }
}

/** The account of a ticket; undefined for one that is forged, expired or of a former password. */
export async function findTicketAccount({ signer, db }: Services, ticket: string): Promise<AccountRow | undefined> {
  const verdict = signer.verify(ticketPurpose, ticket);
  if (verdict.state !== "valid") {
    return undefined;
  }
  const [userId, fingerprint] = JSON.parse(verdict.payload) as [number, string];
  const account = await findAccountById(db, userId);
  return account && fingerprintOf(account) === fingerprint ? account : undefined;
}

/** Says whether the password is still the one that was right. */
function fingerprintOf({ password_hash }: AccountRow): string {
  return createHash("sha256").update(password_hash).digest("base64url").slice(0, 16);
}
