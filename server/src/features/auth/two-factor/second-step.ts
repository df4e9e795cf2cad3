import type { TwoFactorSecret } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import { enforceSharedLimit, returnSharedTokens } from "#server/platform/http/index.ts";
import { addressBlock } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { companyAccessError } from "../auth.company-access.ts";
import { findTicketAccount } from "../auth.second-step.ts";
import type { AccountRow } from "../auth.queries.ts";
import { openAccountSession } from "../auth.sign-in.ts";
import type { Caller, OpenedSession } from "../auth.sign-in.ts";
import { codeLimit, countCode, takeCode } from "./check-code.ts";
import { beginSetup, confirmSetup, recordOf } from "./set-up.ts";

/**
 * The second step of a sign-in. The first one answers an error with a ticket, which says that the password was right: there is
 * no session yet, so who has to set up a second factor can do nothing else (decision 0207).
 */

/** Tickets and codes that are refused, by address. */
const refusedRate = { max: 60, perSeconds: 300 };

/**
 * Completes a sign-in by a code. Throws ERR_NOT_SIGNED_IN for a ticket that is forged, expired or of a former password,
 * ERR_SECOND_FACTOR_CODE, ERR_TOO_MANY_REQUESTS, and what a sign-in throws.
 */
export async function completeSecondStep(
  services: Services,
  { ticket, code }: { readonly ticket: string; readonly code: string },
  caller: Caller,
): Promise<OpenedSession> {
  return limitRefused(services, caller, async () => {
    const account = await accountOfTicket(services, ticket, true);
    await countCode(services, account.id);
    const { db, clock } = services;
    try {
      await db.systemTx(async (tx) => {
        if ((await takeCode(services, tx, account.id, code)) === "recovery") {
          await recordOf(tx, account, clock.now(), "recovery-code.used");
        }
      });
    } catch (error) {
      if (error instanceof AppError && error.code === "ERR_SECOND_FACTOR_CODE") {
        await db.systemTx((tx) => recordOf(tx, account, clock.now(), "two-factor.refused"));
      }
      throw error;
    }
    await giveBack(services, account.id);
    return openAccountSession(services, account, caller);
  });
}

/** A secret for who has to have a second factor and has none. Throws as `completeSecondStep` does. */
export async function beginRequiredSetup(services: Services, ticket: string, caller: Caller): Promise<TwoFactorSecret> {
  return limitRefused(services, caller, async () => {
    const account = await accountOfTicket(services, ticket, false);
    return services.db.systemTx((tx) => beginSetup(services, tx, account));
  });
}

/** Completes that set-up and the sign-in. Throws as `completeSecondStep` does. */
export async function confirmRequiredSetup(
  services: Services,
  { ticket, code }: { readonly ticket: string; readonly code: string },
  caller: Caller,
): Promise<{ readonly session: OpenedSession; readonly recoveryCodes: string[] }> {
  return limitRefused(services, caller, async () => {
    const account = await accountOfTicket(services, ticket, false);
    await countCode(services, account.id);
    const recoveryCodes = await services.db.systemTx((tx) => confirmSetup(services, tx, account, code));
    await giveBack(services, account.id);
    return { session: await openAccountSession(services, account, caller), recoveryCodes };
  });
}

/** `hasFactor`: a ticket for a set-up is worth nothing once there is a second factor, and the other way round. */
async function accountOfTicket(services: Services, ticket: string, hasFactor: boolean): Promise<AccountRow> {
  const account = await findTicketAccount(services, ticket);
  if (!account || account.has_second_factor !== hasFactor) {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  const refused = companyAccessError(account, services.clock.now());
  if (refused) {
    throw refused;
  }
  return account;
}

async function giveBack(services: Services, userId: number): Promise<void> {
  await returnSharedTokens(services, { returned: [], reset: [codeLimit(userId).key] });
}

async function limitRefused<T>(services: Services, { address }: Caller, attempt: () => Promise<T>): Promise<T> {
  const key = `second-step:${addressBlock(address)}`;
  await enforceSharedLimit(services, key, refusedRate);
  const result = await attempt();
  await returnSharedTokens(services, { returned: [{ key, rate: refusedRate }], reset: [] });
  return result;
}
