import type { TwoFactorSecret } from "@prosa/contract";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import type { Services } from "#server/platform/services.ts";
import { takeCode } from "./check-code.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { newTotpSecret, totpUri } from "./totp.ts";
import {
  confirmSecret,
  hasRecoveryCodes,
  replaceRecoveryCodes,
  saveNewSecret,
  secretContext,
} from "./two-factor.queries.ts";

export interface FactorOwner {
  readonly id: number;
  readonly company_id: number;
  readonly name: string;
  readonly email: string;
}

/** A new secret, which replaces one that was not confirmed. Throws ERR_SECOND_FACTOR_ON where there is one in use. */
export async function beginSetup(
  { vault, clock }: Services,
  tx: SystemTx,
  owner: FactorOwner,
): Promise<TwoFactorSecret> {
  const secret = newTotpSecret();
  if (!(await saveNewSecret(tx, owner, vault.sealText(secret, secretContext(owner.id)), clock.now()))) {
    throw new AppError("ERR_SECOND_FACTOR_ON");
  }
  return { secret, uri: totpUri(secret, owner.email) };
}

/** Turns it on by a first code; returns the recovery codes. Throws ERR_SECOND_FACTOR_CODE, ERR_SECOND_FACTOR_ON. */
export async function confirmSetup(
  services: Services,
  tx: SystemTx,
  owner: FactorOwner,
  code: string,
): Promise<string[]> {
  await takeCode(services, tx, owner.id, code, { isSetup: true });
  const now = services.clock.now();
  if (!(await confirmSecret(tx, owner.id, now))) {
    throw new AppError("ERR_SECOND_FACTOR_ON");
  }
  await recordOf(tx, owner, now, "two-factor.enabled");
  return makeRecoveryCodes(services, tx, owner);
}

/** Recovery codes for who has none yet; none for who has. */
export async function ensureRecoveryCodes(services: Services, tx: SystemTx, owner: FactorOwner): Promise<string[]> {
  return (await hasRecoveryCodes(tx, owner.id)) ? [] : makeRecoveryCodes(services, tx, owner);
}

/** New recovery codes in place of all former ones. */
export async function makeRecoveryCodes(
  { signer, clock }: Services,
  tx: SystemTx,
  owner: FactorOwner,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(signer, owner.id, code));
  await replaceRecoveryCodes(tx, owner, hashes);
  await recordOf(tx, owner, clock.now(), "recovery-codes.created");
  return codes;
}

type OwnAction =
  | "two-factor.enabled"
  | "two-factor.disabled"
  | "two-factor.refused"
  | "passkey.added"
  | "passkey.removed"
  | "recovery-codes.created"
  | "recovery-code.used";

/** The owner is the actor, who may not be signed in yet. */
export async function recordOf(
  tx: SystemTx,
  { id, company_id: companyId, name }: Pick<FactorOwner, "id" | "company_id" | "name">,
  now: Date,
  action: OwnAction,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const actor = { kind: "user", userId: id, name } as const;
  await recordAuditOf(tx, { companyId, now, actor }, { action, target: { type: "user", id, name }, details });
}
