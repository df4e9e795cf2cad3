import { AppError } from "#server/platform/ctx.ts";
import {
  readSharedTokens,
  returnSharedTokens,
  takeSharedTokens,
  tooManyRequests,
} from "#server/platform/http/index.ts";
import type { GivenBack, Rate, RateLimiter, Refusal } from "#server/platform/http/index.ts";
import { addressBlock, addressSite } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { attemptOnAccount, findAccount } from "./auth.queries.ts";
import type { AccountAttempt, AccountRow } from "./auth.queries.ts";

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
/** Attempts of one address, or of one account there, that may wait for the outcome of those under way. */
const maxWaiting = 100;

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
  /** Nobody, where there is no account with this e-mail. */
  readonly account: AccountRow | undefined;
  /** Set beyond the limits: only an address that has signed in before may still try, throttled. */
  readonly refusal: AppError | undefined;
  /** Runs an attempt beyond the limits: one after the other, with pauses. */
  runThrottled(prove: () => Promise<boolean>): Promise<boolean>;
  /** After a right password: the tokens of this attempt, and the account's limit at this address. Call it once. */
  giveBack(): GivenBack;
  /** After a wrong password; true where the account has had so many that its owner is to be notified. */
  recordFailure(): Promise<boolean>;
  /** The outcome is known and counted: who waits for it may go on. */
  release(): void;
}

/**
 * Counts an attempt before its password is verified, so that concurrent attempts all count. Where only attempts under way
 * here leave no token, waits for their outcome (docs/decisions/0183).
 */
export async function countAttempt(services: Services, email: string, origin: Origin): Promise<Attempt> {
  const { limiter } = services;
  const addressBuckets = bucketsOf("sign-in-address", origin, perAddress);
  // The e-mail comes last in the key: it is user input, and could otherwise imitate another key.
  const accountBuckets = bucketsOf("sign-in-here", origin, perAccountAndAddress, ` ${email}`);
  const buckets = [...addressBuckets, ...accountBuckets];
  const account = { key: `sign-in-account:${email}`, rate: perAccount };
  const lane = `sign-in-here:${origin.block} ${email}`;
  let found: AccountAttempt | undefined;
  let refusedBy: string | undefined;

  /** Takes a token of each bucket, or none. */
  async function take(): Promise<Refusal | undefined> {
    // The limit of this process first: an attempt that it refuses does not reach the database.
    const overLocal = takeLocalTokens(limiter, addressBuckets);
    if (overLocal) {
      return overLocal;
    }
    found = await attemptOnAccount(services, { email, account, addressBuckets, accountBuckets, costUnderAttack });
    const { spent, isUnderAttack } = found;
    const costs = buckets.map((bucket) => ({
      ...bucket,
      cost: isUnderAttack && accountBuckets.includes(bucket) ? costUnderAttack : 1,
    }));
    const empty = costs[spent];
    if (!empty) {
      return undefined;
    }
    addressBuckets.forEach(({ key, rate }) => limiter.returnToken(key, rate));
    await returnSharedTokens(services, { returned: costs.slice(0, spent), reset: [] });
    const tokens = await readSharedTokens(services, empty.key, empty.rate);
    return { key: empty.key, error: tooManyRequests(tokens, empty.rate, empty.cost) };
  }

  const held = await limiter.outcomes.hold(
    buckets.map(({ key }) => key),
    maxWaiting,
    async () => {
      const refusal = await take();
      refusedBy = refusal?.key;
      return refusal;
    },
  );
  const refusal = "refusal" in held ? held.refusal : undefined;

  return {
    refusal,
    account: found ? found.account : await findAccount(services.db, email),
    runThrottled: (prove) => limiter.runInTurn(lane, throttle, prove),
    giveBack() {
      floodBucketsOf(origin).forEach(({ key, rate }) => limiter.returnToken(key, rate));
      if (!refusal) {
        addressBuckets.forEach(({ key, rate }) => limiter.returnToken(key, rate));
      }
      return { returned: refusal ? [] : addressBuckets, reset: accountBuckets.map(({ key }) => key) };
    },
    async recordFailure() {
      if (refusal) {
        // An address over its limit, by attempts on other accounts, is no sign of an attack on this one.
        return accountBuckets.some(({ key }) => key === refusedBy);
      }
      await takeSharedTokens(services, account.key, account.rate);
      return (await readSharedTokens(services, account.key, account.rate)) <= perAccount.max - notifyAfterFailures;
    },
    release() {
      if ("release" in held) {
        held.release();
      }
    },
  };
}

/** All or none. */
function takeLocalTokens(limiter: RateLimiter, buckets: readonly Bucket[]): Refusal | undefined {
  const taken: Bucket[] = [];
  for (const { key, rate } of buckets) {
    try {
      limiter.limit(key, rate);
      taken.push({ key, rate });
    } catch (error) {
      taken.forEach((bucket) => limiter.returnToken(bucket.key, bucket.rate));
      return { key, error: error as AppError };
    }
  }
  return undefined;
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
