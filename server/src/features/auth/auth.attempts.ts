import { AppError } from "#server/platform/ctx.ts";
import {
  resetSharedLimit,
  returnSharedToken,
  enforceSharedLimit,
  takeSharedTokens,
  readSharedTokens,
} from "#server/platform/http/index.ts";
import type { Rate } from "#server/platform/http/index.ts";
import { addressBlock, addressSite } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";

/**
 * How often may somebody try to sign in (A-11, docs/decisions/0126)? Counted by account and address block, so that
 * nobody locks another person out. Only the flood is counted by each process for itself.
 */

/** Tries of an address. Beyond it they are heard one after the other, so that a flood asks the database nothing. */
const flood = { max: 300, perSeconds: 60 };
/** Failed tries of an address: it may be an office. */
const perAddress = { max: 30, perSeconds: 60 };
/** Failed tries of one account from one address: one person who mistypes. */
const perAccountHere = { max: 10, perSeconds: 300 };
/** So many times as much for all of an IPv6 site: one customer may have all of its 65,536 networks, or one of them. */
const siteFactor = 3;
/** Failed tries of one account from everywhere. Beyond it each try counts for more, and nobody is refused for it alone. */
const perAccount = { max: 60, perSeconds: 3_600 };
const costUnderAttack = 5;
/** From so many on, within that hour, the owner of the account is told. */
const manyFailures = 20;
/** An address that signed in before goes on beyond every limit, as slowly as this. */
const pace = { most: 40, pauseMs: 500 };

/** Whose tries are counted together. */
export interface Origin {
  readonly block: string;
  /** What is around it, for IPv6. */
  readonly site: string | undefined;
}

export function originOf(address: string): Origin {
  return { block: addressBlock(address), site: addressSite(address) };
}

interface Bucket {
  readonly key: string;
  readonly rate: Rate;
}

/** The narrow one first: an address that is refused takes nothing of its site's. */
function bucketsOf(what: string, { block, site }: Origin, rate: Rate, whose = ""): readonly Bucket[] {
  const narrow = { key: `${what}:${block}${whose}`, rate };
  return site === undefined
    ? [narrow]
    : [narrow, { key: `${what}:${site}${whose}`, rate: { ...rate, max: rate.max * siteFactor } }];
}

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
export async function countAttempt(services: Services, email: string, origin: Origin): Promise<Attempt> {
  const { db, limiter } = services;
  const ofAddress = bucketsOf("sign-in-address", origin, perAddress);
  // What somebody writes as their e-mail comes last, or it could be made to look like another key.
  const here = bucketsOf("sign-in-here", origin, perAccountHere, ` ${email}`);
  const lane = `sign-in-here:${origin.block} ${email}`;
  const account = `sign-in-account:${email}`;
  const takenHere: Bucket[] = [];
  const takenEverywhere: Bucket[] = [];
  let isAddressHeard = false;
  const refusal = await refusalOf(async () => {
    // First in this process: what it refuses asks the database nothing.
    for (const bucket of ofAddress) {
      limiter.limit(bucket.key, bucket.rate);
      takenHere.push(bucket);
    }
    for (const bucket of ofAddress) {
      await enforceSharedLimit(services, bucket.key, bucket.rate);
      takenEverywhere.push(bucket);
    }
    isAddressHeard = true;
    const isUnderAttack = (await readSharedTokens(services, account, perAccount)) < 1;
    for (const { key, rate } of here) {
      await enforceSharedLimit(services, key, rate, isUnderAttack ? costUnderAttack : 1);
    }
  });

  return {
    refusal,
    slowly: (prove) => limiter.runInTurn(lane, pace, prove),
    async forgive() {
      [...floodsOf(origin), ...takenHere].forEach(({ key, rate }) => limiter.returnToken(key, rate));
      for (const { key, rate } of takenEverywhere) {
        await returnSharedToken(services, key, rate);
      }
      for (const { key } of here) {
        await resetSharedLimit(db, key);
      }
    },
    async fail() {
      if (refusal) {
        // An address that tries others says nothing of this account.
        return isAddressHeard;
      }
      await takeSharedTokens(services, account, perAccount);
      return (await readSharedTokens(services, account, perAccount)) <= perAccount.max - manyFailures;
    },
  };
}

/** Hears a try at once, or in its turn where the address or its site sends more than any office does. */
export async function hear<T>(
  { limiter }: Pick<Services, "limiter">,
  origin: Origin,
  attempt: () => Promise<T>,
): Promise<T> {
  for (const { key, rate } of floodsOf(origin)) {
    if (await refusalOf(async () => limiter.limit(key, rate))) {
      return limiter.runInTurn(key, pace, attempt);
    }
  }
  return attempt();
}

const floodsOf = (origin: Origin) => bucketsOf("sign-in-flood", origin, flood);

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
