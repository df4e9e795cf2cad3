import { AppError } from "#server/platform/ctx.ts";
import { forgetLimit, limitEverywhere, takeEverywhere, tokensEverywhere } from "#server/platform/http/index.ts";
import { addressBlock } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";

/**
 * How often may somebody try to sign in (A-11, docs/decisions/0126)? Counted by account and address block, so that
 * nobody locks another person out.
 */

/** Failed tries of an address: it may be an office. */
const perAddress = { max: 30, perSeconds: 60 };
/** Failed tries of one account from one address: one person who mistypes. */
const perAccountHere = { max: 10, perSeconds: 300 };
/** Failed tries of one account from everywhere. Beyond it each try counts for more, and nobody is refused for it alone. */
const perAccount = { max: 60, perSeconds: 3_600 };
const costUnderAttack = 5;
/** From so many on, within that hour, the owner of the account is told. */
const manyFailures = 20;
/** An address that signed in before goes on beyond every limit, as slowly as this. */
const pace = { most: 40, pauseMs: 500 };

export interface Attempt {
  readonly block: string;
  /** Beyond the limits: only an address that signed in before is still heard. */
  readonly refusal: AppError | undefined;
  /** Beyond the limits, one after the other. */
  slowly(prove: () => Promise<boolean>): Promise<boolean>;
  /** The password was right: the next one who mistypes begins anew. */
  forgive(): Promise<void>;
  /** The password was wrong; true where there were many by now. */
  fail(): Promise<boolean>;
}

/** Counts a try, before its password is looked at, so that many at once count as many. */
export async function countAttempt(services: Services, email: string, address: string): Promise<Attempt> {
  const { db, limiter } = services;
  const block = addressBlock(address);
  const [here, account] = [`sign-in:${email} ${block}`, `sign-in:${email}`];
  const isUnderAttack = (await tokensEverywhere(services, account, perAccount)) < 1;
  let isTaken = false;
  const refusal = await refusalOf(async () => {
    limiter.limit(`sign-in:${block}`, perAddress);
    isTaken = true;
    await limitEverywhere(services, here, perAccountHere, isUnderAttack ? costUnderAttack : 1);
  });

  return {
    block,
    refusal,
    slowly: (prove) => limiter.inTurn(here, pace, prove),
    async forgive() {
      if (isTaken) {
        limiter.giveBack(`sign-in:${block}`, perAddress);
      }
      await forgetLimit(db, here);
    },
    async fail() {
      await takeEverywhere(services, account, perAccount);
      return (await tokensEverywhere(services, account, perAccount)) <= perAccount.max - manyFailures;
    },
  };
}

async function refusalOf(count: () => Promise<void>): Promise<AppError | undefined> {
  try {
    await count();
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === "ERR_TOO_MANY_REQUESTS") {
      return error;
    }
    throw error;
  }
}
