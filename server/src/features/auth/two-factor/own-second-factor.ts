import type { TwoFactorSecret, TwoFactorState } from "@prosa/contract";
import { verifyPassword } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { enforceSharedLimit, resetSharedLimit } from "#server/platform/http/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findAccountById } from "../auth.queries.ts";
import type { AccountRow } from "../auth.queries.ts";
import { codeLimit, countCode } from "./check-code.ts";
import { beginSetup, confirmSetup, makeRecoveryCodes, recordOf } from "./set-up.ts";
import { deleteSecondFactor, findTwoFactorState } from "./two-factor.queries.ts";

/** Attempts of one person to give their current password. */
const passwordRate = { max: 10, perSeconds: 300 };

/** The second factor of the person who asks. */
export async function getTwoFactor(ctx: Ctx): Promise<TwoFactorState> {
  return findTwoFactorState(ctx, userIdOf(ctx));
}

/** Throws ERR_WRONG_PASSWORD, ERR_SECOND_FACTOR_ON, ERR_TOO_MANY_REQUESTS. */
export async function beginOwn(services: Services, edge: RequestScope, password: string): Promise<TwoFactorSecret> {
  const account = await provenAccount(services, edge, password);
  return services.db.systemTx((tx) => beginSetup(services, tx, account));
}

/** Throws ERR_SECOND_FACTOR_CODE, ERR_SECOND_FACTOR_ON, ERR_TOO_MANY_REQUESTS. */
export async function confirmOwn(services: Services, edge: RequestScope, code: string): Promise<string[]> {
  const account = await accountOf(services, edge);
  await countCode(services, account.id);
  const codes = await services.db.systemTx((tx) => confirmSetup(services, tx, account, code));
  await resetSharedLimit(services.db, codeLimit(account.id).key);
  return codes;
}

/** Throws ERR_WRONG_PASSWORD, ERR_SECOND_FACTOR_OFF, ERR_TOO_MANY_REQUESTS. */
export async function renewOwnCodes(services: Services, edge: RequestScope, password: string): Promise<string[]> {
  const account = await provenAccount(services, edge, password);
  return services.db.systemTx(async (tx) => {
    if (!account.has_second_factor) {
      throw new AppError("ERR_SECOND_FACTOR_OFF");
    }
    return makeRecoveryCodes(services, tx, account);
  });
}

/** Throws ERR_WRONG_PASSWORD, ERR_SECOND_FACTOR_REQUIRED where the company wants one, ERR_TOO_MANY_REQUESTS. */
export async function disableOwn(services: Services, edge: RequestScope, password: string): Promise<void> {
  const account = await provenAccount(services, edge, password);
  if (account.must_use_second_factor) {
    throw new AppError("ERR_SECOND_FACTOR_REQUIRED");
  }
  await services.db.systemTx(async (tx) => {
    if (await deleteSecondFactor(tx, account.id)) {
      await recordOf(tx, account, services.clock.now(), "two-factor.disabled");
    }
  });
}

/** The account of who asks, after the current password. Throws ERR_WRONG_PASSWORD, ERR_TOO_MANY_REQUESTS. */
export async function provenAccount(services: Services, edge: RequestScope, password: string): Promise<AccountRow> {
  const account = await accountOf(services, edge);
  const key = `own-password:${account.id}`;
  await enforceSharedLimit(services, key, passwordRate);
  if (!(await verifyPassword(account.password_hash, password))) {
    throw new AppError("ERR_WRONG_PASSWORD");
  }
  await resetSharedLimit(services.db, key);
  return account;
}

export async function accountOf({ db }: Services, { actor }: RequestScope): Promise<AccountRow> {
  const account = actor?.kind === "user" ? await findAccountById(db, actor.userId) : undefined;
  if (!account) {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  return account;
}

function userIdOf({ actor }: Ctx): number {
  if (actor.kind !== "user") {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  return actor.userId;
}
