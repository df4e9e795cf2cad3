import { randomUUID } from "node:crypto";
import { setupCodeHours } from "@prosa/contract";
import { deriveTypedCode, hashTypedCode } from "#server/platform/auth/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findSeed, renewSeed } from "./setup.queries.ts";

type Deps = Pick<Services, "db" | "clock" | "signer">;

const purpose = "setup code";
const validMs = setupCodeHours * 3_600_000;
/** Processes that start together print one code; a later start makes a new one. */
export const sameStartMs = 60_000;

/**
 * The code that opens the first page, for whoever reads the terminal or the log of the server. A new one takes the place of a code that
 * is older than `keepForMs`, by default of one that has expired; that one opens nothing from then on.
 */
export async function currentSetupCode({ db, clock, signer }: Deps, keepForMs = validMs): Promise<string> {
  const now = clock.now();
  const since = new Date(now.getTime() - keepForMs);
  return deriveTypedCode(signer, purpose, await db.systemTx((tx) => renewSeed(tx, { seed: randomUUID(), now, since })));
}

/** Whether this is the code that the server printed last, and not expired. */
export async function isSetupCode({ db, clock, signer }: Deps, typed: string): Promise<boolean> {
  const since = new Date(clock.now().getTime() - validMs);
  const seed = await db.systemTx((tx) => findSeed(tx, since));
  if (seed === undefined) {
    return false;
  }
  const hashOf = (code: string) => hashTypedCode(signer, purpose, [], code);
  return hashOf(typed) === hashOf(deriveTypedCode(signer, purpose, seed));
}
