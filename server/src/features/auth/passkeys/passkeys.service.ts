import { maxPasskeys } from "@prosa/contract";
import type { Passkey } from "@prosa/contract";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { enforceSharedLimit, returnSharedTokens } from "#server/platform/http/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import { addressBlock } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { companyAccessError } from "../auth.company-access.ts";
import { findAccountById } from "../auth.queries.ts";
import { openAccountSession } from "../auth.sign-in.ts";
import type { Caller, OpenedSession } from "../auth.sign-in.ts";
import { accountOf, deleteRecoveryCodes, ensureRecoveryCodes, provenAccount, recordOf } from "../two-factor/index.ts";
import { newChallenge, relyingParty, takeChallenge } from "./challenges.ts";
import {
  deletePasskey,
  findCredential,
  findCredentialsOf,
  findPasskeys,
  insertPasskey,
  savePasskeyUse,
} from "./passkeys.queries.ts";
import type { PasskeyRow } from "./passkeys.queries.ts";

/**
 * Passkeys (V-03). The device verifies its person (a finger, a face, a PIN) each time, so a passkey is two factors by itself:
 * it signs in alone, and stands for the code after a password.
 */

/** Loaded when it is first needed: few people have passkeys, and it warns of experimental algorithms as it starts. */
const webAuthn = () => import("@simplewebauthn/server");

/** Answers that are refused, by address. */
const refusedRate = { max: 60, perSeconds: 300 };

export async function listPasskeys(ctx: Ctx): Promise<Passkey[]> {
  const { actor } = ctx;
  return actor.kind === "user" ? (await findPasskeys(ctx, actor.userId)).map(passkeyView) : [];
}

/** Throws ERR_WRONG_PASSWORD, ERR_TOO_MANY_REQUESTS, ERR_VALIDATION beyond the largest number. */
export async function beginPasskey(services: Services, edge: RequestScope, password: string) {
  const account = await provenAccount(services, edge, password);
  const known = await findCredentialsOf(services.db, account.id);
  if (known.length >= maxPasskeys) {
    throw new AppError("ERR_VALIDATION", { fields: { name: "Too Long!" } });
  }
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: "Prosa",
    rpID: relyingParty(services).id,
    userID: new TextEncoder().encode(`user ${account.id}`),
    userName: account.email,
    userDisplayName: account.name,
    challenge: newChallenge(services, `of ${account.id}`),
    attestationType: "none",
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({
      id,
      transports,
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** Throws ERR_PASSKEY for an answer that is forged, late or used. */
export async function addPasskey(
  services: Services,
  edge: RequestScope,
  { name, response }: { readonly name: string; readonly response: Readonly<Record<string, unknown>> },
): Promise<{ readonly passkey: Passkey; readonly recoveryCodes: string[] }> {
  const account = await accountOf(services, edge);
  const party = relyingParty(services);
  const info = await refusing(async () => {
    const { verifyRegistrationResponse } = await webAuthn();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: takeChallenge(services, `of ${account.id}`),
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    return registrationInfo;
  });
  const now = services.clock.now();
  return services.db.systemTx(async (tx) => {
    const { id, publicKey, counter, transports = [] } = info.credential;
    const row = await insertPasskey(tx, {
      company_id: account.company_id,
      user_id: account.id,
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter,
      transports: [...transports],
      name,
      created_at: now,
    });
    if (!row) {
      throw new AppError("ERR_PASSKEY");
    }
    await recordOf(tx, account, now, "passkey.added", { name });
    return { passkey: passkeyView(row), recoveryCodes: await ensureRecoveryCodes(services, tx, account) };
  });
}

/**
 * By the current password, so that a browser left open takes nobody's second factor away. Throws ERR_WRONG_PASSWORD,
 * ERR_TOO_MANY_REQUESTS, ERR_NOT_FOUND for another's, ERR_SECOND_FACTOR_REQUIRED for the last second factor where the company
 * wants one.
 */
export async function removePasskey(
  services: Services,
  edge: RequestScope,
  id: number,
  password: string,
): Promise<void> {
  const account = await provenAccount(services, edge, password);
  const now = services.clock.now();
  await services.db.systemTx(async (tx) => {
    const name = await deletePasskey(tx, account.id, id);
    if (name === undefined) {
      throw new AppError("ERR_NOT_FOUND");
    }
    await recordOf(tx, account, now, "passkey.removed", { name });
    const after = await findAccountById({ system: tx.db }, account.id);
    if (account.must_use_second_factor && !after?.has_second_factor) {
      throw new AppError("ERR_SECOND_FACTOR_REQUIRED");
    }
    if (!after?.has_second_factor) {
      // Otherwise they would be good again with the next second factor.
      await deleteRecoveryCodes(tx, account.id);
    }
  });
}

/** Which passkey is the person's choice: the browser offers those that it has for this host. */
export async function passkeySignInOptions(services: Services) {
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: relyingParty(services).id,
    challenge: newChallenge(services, "sign-in"),
    userVerification: "required",
  });
}

/** Throws ERR_PASSKEY for an answer that is forged, late, used or of an unknown passkey, and what a sign-in throws. */
export async function signInWithPasskey(
  services: Services,
  response: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<OpenedSession> {
  const { db, clock } = services;
  const key = `passkey:${addressBlock(caller.address)}`;
  await enforceSharedLimit(services, key, refusedRate);
  const credential = typeof response["id"] === "string" ? await findCredential(db, response["id"]) : undefined;
  const account = credential && (await findAccountById(db, credential.user_id));
  if (!credential || !account) {
    throw new AppError("ERR_PASSKEY");
  }
  const party = relyingParty(services);
  const { newCounter } = await refusing(async () => {
    const { verifyAuthenticationResponse } = await webAuthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: takeChallenge(services, "sign-in"),
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: credential.credential_id,
        publicKey: new Uint8Array(credential.public_key),
        counter: Number(credential.counter),
        transports: credential.transports,
      },
    });
    return verified ? authenticationInfo : undefined;
  });
  const refused = companyAccessError(account, clock.now());
  if (refused) {
    throw refused;
  }
  if (!(await db.systemTx((tx) => savePasskeyUse(tx, credential.credential_id, newCounter, clock.now())))) {
    throw new AppError("ERR_PASSKEY");
  }
  await returnSharedTokens(services, { returned: [{ key, rate: refusedRate }], reset: [] });
  return openAccountSession(services, account, caller);
}

/** The library throws for whatever is wrong with an answer, which is the caller's fault and no fault of ours. */
async function refusing<T>(verify: () => Promise<T | undefined>): Promise<T> {
  const verified = await verify().catch(() => undefined);
  if (verified === undefined) {
    throw new AppError("ERR_PASSKEY");
  }
  return verified;
}

function passkeyView({ id, name, created_at, last_used_at }: PasskeyRow): Passkey {
  return { id, name, createdAt: created_at.toISOString(), lastUsedAt: last_used_at?.toISOString() ?? null };
}
