import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock/index.ts";
import { AppError } from "../../ctx.ts";

export interface Rate {
  /** Size of the bucket: how many at once. */
  readonly max: number;
  /** In this time an empty bucket is full again. */
  readonly perSeconds: number;
}

/** Token buckets in this process's memory: for keys such as a caller's address, where each process may count alone. */
export interface RateLimiter {
  /** Takes one token; throws ERR_TOO_MANY_REQUESTS (429, Retry-After) when the bucket is empty. */
  limit(key: string, rate: Rate): void;
  /** Puts one token back: what it was taken for turned out to be no attack. */
  returnToken(key: string, rate: Rate): void;
  /**
   * Proofs of one key, one after the other, with a pause after each that failed or is false: as slow as that, nobody
   * is shut out.
   * Throws ERR_TOO_MANY_REQUESTS where too many wait already.
   */
  runInTurn<T>(key: string, pace: AttemptPace, prove: () => Promise<T>): Promise<T>;
}

export interface AttemptPace {
  /** How many may wait. */
  readonly most: number;
  readonly pauseMs: number;
}

interface Lane {
  last: Promise<unknown>;
  count: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = new LRUCache<string, Bucket>({ max: 50_000 });
  const lanes = new Map<string, Lane>();
  return {
    limit(key, rate) {
      const now = clock.now().getTime();
      const bucket = buckets.get(key) ?? { tokens: rate.max, at: now };
      const refilled = refill(bucket, rate, now);
      if (refilled < 1) {
        throw tooManyRequests(refilled, rate);
      }
      buckets.set(key, { tokens: refilled - 1, at: now });
    },
    returnToken(key, rate) {
      const bucket = buckets.get(key);
      if (bucket) {
        buckets.set(key, { ...bucket, tokens: Math.min(rate.max, bucket.tokens + 1) });
      }
    },
    async runInTurn(key, { most, pauseMs }, prove) {
      const lane = lanes.get(key) ?? { last: Promise.resolve(), count: 0 };
      if (lane.count >= most) {
        throw new AppError("ERR_TOO_MANY_REQUESTS", { retryAfterSeconds: Math.ceil((most * pauseMs) / 1000) });
      }
      lanes.set(key, lane);
      lane.count += 1;
      const proof = lane.last.then(prove);
      lane.last = proof
        .catch(() => false)
        .then((isRight) => (isRight ? undefined : sleep(pauseMs, undefined, { ref: false })))
        .finally(() => {
          lane.count -= 1;
          if (lane.count === 0) {
            lanes.delete(key);
          }
        });
      return proof;
    },
  };
}

/** Tokens that the bucket holds by now. */
export function refill(bucket: Readonly<Bucket>, rate: Rate, now: number): number {
  const seconds = Math.max(0, now - bucket.at) / 1000;
  return Math.min(rate.max, bucket.tokens + (seconds * rate.max) / rate.perSeconds);
}

export function tooManyRequests(tokens: number, rate: Rate, cost = 1): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(((cost - tokens) * rate.perSeconds) / rate.max));
  return new AppError("ERR_TOO_MANY_REQUESTS", { retryAfterSeconds });
}
