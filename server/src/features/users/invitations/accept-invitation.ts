import type { BodyOf, OpenInvitation, invitations } from "@prosa/contract";
import { hashPassword, hashSecret } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { enforceSharedLimit, returnSharedTokens } from "#server/platform/http/index.ts";
import { addressBlock } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { openSession, requireAccessOf, requireSecondStep } from "#server/features/auth/index.ts";
import type { Caller, OpenedSession } from "#server/features/auth/index.ts";
import { userUpdated } from "../users.events.ts";
import { findInvitation, lockInvitedUser, saveAcceptance } from "./invitations.queries.ts";
import type { InvitationRow } from "./invitations.queries.ts";
import { provisionalName } from "./provisional-name.ts";

/** Links that are refused, by address: an office may open some old ones, a guesser needs far more. */
const refusedRate = { max: 30, perSeconds: 60 };

/**
 * What the page of a link shows. Throws ERR_NO_INVITATION_FOUND for every unknown token, be it forged, replaced or of a
 * deleted user, ERR_INVITATION_EXPIRED, ERR_INVITATION_USED, and ERR_COMPANY_DISABLED or ERR_SUBSCRIPTION_EXPIRED where the
 * person could not sign in.
 */
export async function openInvitation(services: Services, token: string, caller: Caller): Promise<OpenInvitation> {
  return limitRefused(services, caller, async () => {
    const { db, clock } = services;
    const row = await db.systemTx((tx) => requireUsable(tx, token, clock.now()));
    return {
      company: row.company,
      inviter: row.inviter,
      name: row.name === provisionalName(row.email) ? "" : row.name,
      email: row.email,
      expiresAt: row.expires_at.toISOString(),
    };
  });
}

/**
 * Sets name and password, and signs in. The link is used up. Throws as `openInvitation` does, and ERR_SECOND_FACTOR_SETUP with
 * the link used, where the company wants a second factor first (V-03).
 */
export async function acceptInvitation(
  services: Services,
  { token, name, password }: BodyOf<typeof invitations.accept>,
  caller: Caller,
): Promise<OpenedSession> {
  return limitRefused(services, caller, async () => {
    const { db, clock } = services;
    // Before the look-up, so that the time of an answer does not tell whether there is such a link.
    const passwordHash = await hashPassword(password);
    const { user_id: id, company_id } = await db.systemTx(async (tx) => {
      const now = clock.now();
      const found = await requireUsable(tx, token, now);
      await lockInvitedUser(tx, found.user_id);
      const row = await requireUsable(tx, token, now);
      await saveAcceptance(tx, row.user_id, { name, passwordHash, now });
      tx.emit(row.company_id, userUpdated(row.user_id));
      return row;
    });
    await requireSecondStep(services, id);
    return openSession(services, { id, company_id, password_hash: passwordHash }, caller);
  });
}

async function requireUsable(tx: SystemTx, token: string, now: Date): Promise<InvitationRow> {
  const row = await findInvitation(tx, hashSecret(token));
  if (!row) {
    throw new AppError("ERR_NO_INVITATION_FOUND");
  }
  if (row.accepted_at) {
    throw new AppError("ERR_INVITATION_USED");
  }
  if (row.expires_at <= now) {
    throw new AppError("ERR_INVITATION_EXPIRED");
  }
  await requireAccessOf(tx, row.user_id, now);
  return row;
}

/** Counts an attempt before it is made, and gives it back where the link is good. */
async function limitRefused<T>(services: Services, { address }: Caller, attempt: () => Promise<T>): Promise<T> {
  const key = `invitation:${addressBlock(address)}`;
  await enforceSharedLimit(services, key, refusedRate);
  const result = await attempt();
  await returnSharedTokens(services, { returned: [{ key, rate: refusedRate }], reset: [] });
  return result;
}
