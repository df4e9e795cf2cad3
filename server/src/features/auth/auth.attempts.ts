import { AppError } from "#server/platform/ctx.ts";
import { forgetLimit, limitEverywhere, takeEverywhere, tokensEverywhere } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";

/**
 * How often may somebody try to sign in (A-11, docs/decisions/0126)? Counted by account and address block, so that
 * nobody locks another person out.
 */

/** Tries of an address. Beyond it they are heard one after the other, so that a flood asks the database nothing. */
const flood = { max: 300, perSeconds: 60 };
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
  /** Beyond the limits: only an address that signed in before is still heard. */
  readonly refusal: AppError | undefined;
  /** Beyond the limits, one after the other. */
  slowly(prove: () => Promise<boolean>): Promise<boolean>;
  /** The password was right: the next one who mistypes begins anew. */
  forgive(): Promise<void>;
  /** The password was wrong; true where there were many for this account by now. */
  fail(): Promise<boolean>;
}

/** Counts a try, before its password is looked at, so that many at once count as many. */
export async function countAttempt(services: Services, email: string, block: string): Promise<Attempt> {
  const { db, limiter } = services;
  // What somebody writes as their e-mail comes last, or it could be made to look like another key.
  const [ofAddress, here, account] = [
    `sign-in-address:${block}`,
    `sign-in-here:${block} ${email}`,
    `sign-in-account:${email}`,
  ];
  let isTaken = false;
  const refusal = await refusalOf(async () => {
    limiter.limit(ofAddress, perAddress);
    isTaken = true;
    const isUnderAttack = (await tokensEverywhere(services, account, perAccount)) < 1;
    await limitEverywhere(services, here, perAccountHere, isUnderAttack ? costUnderAttack : 1);
  });

  return {
    refusal,
    slowly: (prove) => limiter.inTurn(here, pace, prove),
    async forgive() {
      limiter.giveBack(floodOf(block), flood);
      if (isTaken) {
        limiter.giveBack(ofAddress, perAddress);
      }
      await forgetLimit(db, here);
    },
    async fail() {
      if (refusal) {
        // An address that tries others says nothing of this account.
        return isTaken;
      }
      await takeEverywhere(services, account, perAccount);
      return (await tokensEverywhere(services, account, perAccount)) <= perAccount.max - manyFailures;
    },
  };
}

/** Hears a try at once, or in its turn where the address sends more than any office does. */
export async function hear<T>({ limiter }: Services, block: string, attempt: () => Promise<T>): Promise<T> {
  const isFlood = await refusalOf(async () => limiter.limit(floodOf(block), flood));
  return isFlood ? limiter.inTurn(floodOf(block), pace, attempt) : attempt();
}

const floodOf = (block: string) => `sign-in-flood:${block}`;

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
