import { LRUCache } from "lru-cache";
import { hashSecret } from "../../auth/index.ts";
import type { AppError } from "../../ctx.ts";
import { addressBlock } from "../../net/index.ts";
import type { Refusal } from "./await-outcomes.ts";
import type { RateLimiter } from "./rate-limit.ts";

/** Unknown tokens from one address: typed ones are as weak as who typed them (decision 0149), so that guessing is slow. */
const unknownTokens = { max: 120, perSeconds: 60 };
/** First calls of an address that wait for the outcome of others when these hold its last tokens. */
const maxWaiting = 100;
/** Tokens by which a process remembers its callers. */
const maxKnown = 10_000;

/** Finds whose the token is that comes from this address. Throws ERR_TOO_MANY_REQUESTS. */
export type FindByToken<T> = (token: string, address: string) => Promise<T | undefined>;

/**
 * Limits guesses of tokens by address. A guess is counted before it is looked up, so that beyond the limit a right one is not
 * told from a wrong one, and costs no statement; a right one is given back. Tokens that were right before in this process pass: they
 * are no guesses, and whoever shares the address with a guesser goes on.
 */
export function limitTokenGuesses<T>(
  load: (token: string) => Promise<T | undefined>,
  limiter: RateLimiter,
): FindByToken<T> {
  const known = new LRUCache<string, true>({ max: maxKnown });

  async function find(token: string, hash: string): Promise<T | undefined> {
    const found = await load(token);
    if (found === undefined) {
      known.delete(hash);
    } else {
      known.set(hash, true);
    }
    return found;
  }

  return async (token, address) => {
    const hash = hashSecret(token);
    if (known.has(hash)) {
      return find(token, hash);
    }
    const key = `token:${addressBlock(address)}`;
    const held = await limiter.outcomes.hold([key], maxWaiting, async () => takeToken(limiter, key));
    if ("refusal" in held) {
      throw held.refusal;
    }
    let isWrong = false;
    try {
      const found = await find(token, hash);
      isWrong = found === undefined;
      return found;
    } finally {
      if (!isWrong) {
        limiter.returnToken(key, unknownTokens);
      }
      held.release();
    }
  };
}

function takeToken(limiter: RateLimiter, key: string): Refusal | undefined {
  try {
    limiter.limit(key, unknownTokens);
    return undefined;
  } catch (error) {
    return { key, error: error as AppError };
  }
}
