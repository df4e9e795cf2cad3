import { AppError } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { enforceSharedLimit } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { stepOfCode } from "./totp.ts";
import { findSecondFactor, secretContext, takeRecoveryCode, takeStep } from "./two-factor.queries.ts";

/** Wrong codes of a person. Only who knows the password comes this far, so the owner can be kept out by nobody else. */
const wrongCodes = { max: 10, perSeconds: 300 };

export function codeLimit(userId: number) {
  return { key: `second-factor:${userId}`, rate: wrongCodes };
}

/** Counts an attempt before its code is checked, so that concurrent attempts all count. Throws ERR_TOO_MANY_REQUESTS. */
export async function countCode(services: Services, userId: number): Promise<void> {
  const { key, rate } = codeLimit(userId);
  await enforceSharedLimit(services, key, rate);
}

/** What a code was. Throws ERR_SECOND_FACTOR_CODE for one that is wrong, used or too old. */
export async function takeCode(
  { vault, signer, clock }: Services,
  tx: SystemTx,
  userId: number,
  typed: string,
): Promise<"app" | "recovery"> {
  const factor = await findSecondFactor(tx, userId);
  const digits = typed.replace(/\s/gu, "");
  if (factor && /^\d{6}$/u.test(digits)) {
    const secret = vault.openText(factor.secret, secretContext(userId));
    const step = stepOfCode(secret, digits, clock.now());
    if (step !== undefined && (await takeStep(tx, userId, step))) {
      return "app";
    }
  } else if (await takeRecoveryCode(tx, userId, hashRecoveryCode(signer, userId, typed))) {
    return "recovery";
  }
  throw new AppError("ERR_SECOND_FACTOR_CODE");
}
