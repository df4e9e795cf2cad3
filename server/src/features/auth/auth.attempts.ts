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
 * Rate limits of sign-in attempts (A-11, docs/decisions/0126). Counted by account and address block, so that nobody can
 * lock another person out. Only the flood limit is counted per process.
 */

/** Attempts of an address. Beyond it they are throttled, one after the other, so that a flood does not load the database. */
const flood = { max: 300, perSeconds: 60 };
/** Failed attempts of an address, which may be a whole office. */
const perAddress = { max: 30, perSeconds: 60 };
/** Failed attempts on one account from one address: a person who mistypes. */
const perAccountAndAddress = { max: 10, perSeconds: 300 };
/** The limits of an IPv6 site are this many times higher: one customer may have all of its 65,536 networks, or one of them. */
const siteFactor = 3;
/** Failed attempts on one account from all addresses. Beyond it each attempt costs more; it alone refuses nobody. */
const perAccount = { max: 60, perSeconds: 3_600 };
const costUnderAttack = 5;
/** After this many within that hour the owner of the account gets a mail. */
const notifyAfterFailures = 20;
/** Beyond the limits, attempts from an address that has signed in before are throttled to this rate instead of refused. */
const throttle = { max: 40, pauseMs: 500 };

/** The networks that attempts are counted by. */
export interface Origin {
  readonly block: string;
  /** The IPv6 site (/48) around the block. */
  readonly site: string | undefined;
}

export function originOf(address: string): Origin {
  return { block: addressBlock(address), site: addressSite(address) };
}

interface Bucket {
  readonly key: string;
  readonly rate: Rate;
}

/** The bucket of the block first: an attempt that it refuses takes no token of the site's. */
function bucketsOf(purpose: string, { block, site }: Origin, rate: Rate, suffix = ""): readonly Bucket[] {
  const narrow = { key: `${purpose}:${block}${suffix}`, rate };
  return site === undefined
    ? [narrow]
    : [narrow, { key: `${purpose}:${site}${suffix}`, rate: { ...rate, max: rate.max * siteFactor } }];
}

export interface Attempt {
  /** Set beyond the limits: only an address that has signed in before may still try, throttled. */
  readonly refusal: AppError | undefined;
  /** Runs an attempt beyond the limits: one after the other, with pauses. */
  runThrottled(prove: () => Promise<boolean>): Promise<boolean>;
  /** After a right password: gives back the tokens of this attempt and resets the account's limit at this address. */
  resetFailures(): Promise<void>;
  /** After a wrong password; true where the account has had so many that its owner is to be notified. */
  recordFailure(): Promise<boolean>;
}

/** Counts an attempt before its password is verified, so that concurrent attempts all count. */
export async function countAttempt(services: Services, email: string, origin: Origin): Promise<Attempt> {
  const { db, limiter } = services;
  const addressBuckets = bucketsOf("sign-in-address", origin, perAddress);
  // The e-mail comes last in the key: it is user input, and could otherwise imitate another key.
  const accountBuckets = bucketsOf("sign-in-here", origin, perAccountAndAddress, ` ${email}`);
  const lane = `sign-in-here:${origin.block} ${email}`;
  const account = `sign-in-account:${email}`;
  const takenLocal: Bucket[] = [];
  const takenShared: Bucket[] = [];
  let isAddressAllowed = false;
  const refusal = await refusalOf(async () => {
    // The limit of this process first: an attempt that it refuses does not reach the database.
    for (const bucket of addressBuckets) {
      limiter.limit(bucket.key, bucket.rate);
      takenLocal.push(bucket);
    }
    for (const bucket of addressBuckets) {
      await enforceSharedLimit(services, bucket.key, bucket.rate);
      takenShared.push(bucket);
    }
    isAddressAllowed = true;
    const isUnderAttack = (await readSharedTokens(services, account, perAccount)) < 1;
    for (const { key, rate } of accountBuckets) {
      await enforceSharedLimit(services, key, rate, isUnderAttack ? costUnderAttack : 1);
    }
  });

  return {
    refusal,
    runThrottled: (prove) => limiter.runInTurn(lane, throttle, prove),
    async resetFailures() {
      [...floodBucketsOf(origin), ...takenLocal].forEach(({ key, rate }) => limiter.returnToken(key, rate));
      for (const { key, rate } of takenShared) {
        await returnSharedToken(services, key, rate);
      }
      for (const { key } of accountBuckets) {
        await resetSharedLimit(db, key);
      }
    },
    async recordFailure() {
      if (refusal) {
        // An address over its limit, by attempts on other accounts, is no sign of an attack on this one.
        return isAddressAllowed;
      }
      await takeSharedTokens(services, account, perAccount);
      return (await readSharedTokens(services, account, perAccount)) <= perAccount.max - notifyAfterFailures;
    },
  };
}

/** Runs an attempt at once, or throttled where the address or its site is over the flood limit. */
export async function throttleFlood<T>(
  { limiter }: Pick<Services, "limiter">,
  origin: Origin,
  attempt: () => Promise<T>,
): Promise<T> {
  for (const { key, rate } of floodBucketsOf(origin)) {
    if (await refusalOf(async () => limiter.limit(key, rate))) {
      return limiter.runInTurn(key, throttle, attempt);
    }
  }
  return attempt();
}

const floodBucketsOf = (origin: Origin) => bucketsOf("sign-in-flood", origin, flood);

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
