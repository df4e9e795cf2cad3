import type { SetupBody } from "@prosa/contract";
import { setupPath } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import type { Caller } from "#server/features/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { enforceSharedLimit, returnSharedTokens } from "#server/platform/http/index.ts";
import { addressBlock } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { createOperator, findOperatorEmail } from "./create-operator.ts";
import { isSetupCode } from "./setup-code.ts";

/** Wrong codes of an address, and of all: a code has 50 bits, so this is for the log and the database, not for the code. */
const ofAddress = { max: 10, perSeconds: 300 };
const ofAll = { max: 300, perSeconds: 3_600 };

/** Throws ERR_NO_SETUP_FOUND once there is an operator. */
export async function requireNoOperator({ db }: Services): Promise<void> {
  if ((await findOperatorEmail(db)) !== undefined) {
    throw new AppError("ERR_NO_SETUP_FOUND");
  }
}

/**
 * Creates the operator with the code that the server printed. Of several that do it at once one wins. Throws ERR_NO_SETUP_FOUND where
 * there is an operator, ERR_SETUP_CODE, ERR_TOO_MANY_REQUESTS after wrong codes, ERR_NAME_TAKEN, ERR_EMAIL_TAKEN.
 */
export async function setUp(
  services: Services,
  { code, ...operator }: SetupBody,
  { caller, language }: { readonly caller: Caller; readonly language: Language },
): Promise<void> {
  await requireNoOperator(services);
  const buckets = [
    { key: `setup:${addressBlock(caller.address)}`, rate: ofAddress },
    { key: "setup", rate: ofAll },
  ];
  for (const { key, rate } of buckets) {
    await enforceSharedLimit(services, key, rate);
  }
  if (!(await isSetupCode(services, code))) {
    // Who won meanwhile took the code along.
    await requireNoOperator(services);
    throw new AppError("ERR_SETUP_CODE");
  }
  await returnSharedTokens(services, { returned: buckets, reset: [] });
  if (!(await createOperator(services.db, { ...operator, language }, services.clock.now()))) {
    throw new AppError("ERR_NO_SETUP_FOUND");
  }
  services.log.warn({ address: caller.address }, "operator created in the browser");
}

/** How long it is believed that there is no operator, in ms: a page of a company is not to wait for the first one. */
const emptyForMs = 1_000;

/** Leads every page to the first one until there is an operator; afterwards it asks nobody. */
export function createLanding(services: Services): (path: string) => Promise<string | undefined> {
  let hasOperator = false;
  let emptyUntil = 0;
  return async (path) => {
    if (hasOperator || path === setupPath) {
      return undefined;
    }
    if (performance.now() > emptyUntil) {
      hasOperator = (await findOperatorEmail(services.db)) !== undefined;
      emptyUntil = performance.now() + emptyForMs;
    }
    return hasOperator ? undefined : setupPath;
  };
}
