import { openUnlessLost } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { enforceSharedLimit } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { stepOfCode } from "./totp.ts";
import { findSecondFactor, secretContext, takeRecoveryCode, takeStep } from "./two-factor.queries.ts";
import type { SecondFactorRow } from "./two-factor.queries.ts";

/** Wrong codes of a person. Only who knows the password comes this far, so the owner can be kept out by nobody else. */
const wrongCodes = { max: 10, perSeconds: 300 };
/** Codes of a day, right or wrong: three of a million are right at any moment, so patience would find one. */
const codesOfDay = { max: 60, perSeconds: 86_400 };

export function codeLimit(userId: number) {
  return { key: `second-factor:${userId}`, rate: wrongCodes };
}

/** Counts an attempt before its code is checked, so that concurrent attempts all count. Throws ERR_TOO_MANY_REQUESTS. */
export async function countCode(services: Services, userId: number): Promise<void> {
  const { key, rate } = codeLimit(userId);
  await enforceSharedLimit(services, key, rate);
  await enforceSharedLimit(services, `second-factor-day:${userId}`, codesOfDay);
}

/** What a code was; `isSetup`: that of an app which is being set up. Throws ERR_SECOND_FACTOR_CODE for one that is wrong, used or too old. */
export async function takeCode(
  services: Services,
  tx: SystemTx,
  userId: number,
  typed: string,
  { isSetup = false } = {},
): Promise<"app" | "recovery"> {
  const { signer, clock } = services;
  const found = await findSecondFactor(tx, userId);
  // A secret that nobody confirmed may be a stranger's, who knew the password alone.
  const factor = isSetup || (found && found.confirmed_at !== null) ? found : undefined;
  const digits = typed.replace(/\s/gu, "");
  if (factor && /^\d{6}$/u.test(digits)) {
    const secret = openSecret(services, userId, factor);
    const step = secret === undefined ? undefined : stepOfCode(secret, digits, clock.now());
    if (step !== undefined && (await takeStep(tx, userId, step))) {
      return "app";
    }
  } else if (!isSetup && (await takeRecoveryCode(tx, userId, hashRecoveryCode(signer, userId, typed)))) {
    return "recovery";
  }
  throw new AppError("ERR_SECOND_FACTOR_CODE");
}

/** Undefined where SECRET_KEY is not the one that sealed it: no code of that app is right any more, which is no fault of the server. */
function openSecret({ vault, log }: Services, userId: number, { secret }: SecondFactorRow): string | undefined {
  return openUnlessLost(
    () => vault.openText(secret, secretContext(userId)),
    (err) => log.warn({ err, userId }, "second factor sealed with a lost secret; npm run reset-password removes it"),
  );
}
